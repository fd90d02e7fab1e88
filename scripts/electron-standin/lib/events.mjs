/**
 * The event object that Electron hands to listeners.
 *
 * @template {object} T
 * @param {T} [details] further properties
 * @returns {T & { preventDefault(): void, readonly defaultPrevented: boolean }}
 */
export function createEvent(details) {
  let prevented = false;
  const event = {
    preventDefault() {
      prevented = true;
    },
    get defaultPrevented() {
      return prevented;
    },
  };
  return Object.defineProperties(event, Object.getOwnPropertyDescriptors(details ?? {}));
}
