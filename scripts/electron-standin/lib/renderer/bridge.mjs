/**
 * One end of the passage between a page's own world and the preload's. The two share the DOM but no objects, so values
 * travel as text in the details of events whose names the page doesn't know. The rules are contextBridge's: functions
 * and promises are proxied, plain objects and arrays copied without their prototype, errors keep their message only,
 * the rest is structured-cloned.
 *
 * Self-contained: its source runs in the renderer.
 *
 * @param {{ outgoing: string, incoming: string, codec: any }} options the names of the two directions
 */
export function createBridge({ outgoing, incoming, codec }) {
  const { dispatchEvent, addEventListener, CustomEvent, Node } = window;
  const detailOf = Object.getOwnPropertyDescriptor(CustomEvent.prototype, 'detail').get;
  const { stringify, parse } = JSON;
  const functions = [];
  const promises = new Map();
  let lastPromise = 0;
  let answer;
  /** What this end does for the other one, by name. */
  const services = {
    call: ({ id, args }) => toTree(functions[id](...args.map((arg) => fromTree(arg)))),
    settle({ id, ok, value }) {
      const { resolve, reject } = promises.get(id);
      promises.delete(id);
      (ok ? resolve : reject)(fromTree(value));
    },
  };

  function send(message) {
    Reflect.apply(dispatchEvent, window, [new CustomEvent(outgoing, { detail: stringify(message) })]);
  }

  /** Has the other end do something, now. @returns {unknown} its tree; throws its error */
  function request(service, body) {
    send({ service, body });
    const { ok, value } = answer;
    answer = undefined;
    if (!ok) throw fromTree(value);
    return value;
  }

  Reflect.apply(addEventListener, window, [
    incoming,
    (event) => {
      const message = parse(Reflect.apply(detailOf, event, []));
      if (message.answer) {
        answer = message.answer;
        return;
      }
      try {
        send({ answer: { ok: true, value: services[message.service](message.body) ?? null } });
      } catch (error) {
        send({ answer: { ok: false, value: errorTree(error) } });
      }
    },
  ]);

  const errorTree = (error) => (error instanceof Error ? ['E', String(error.message)] : toTree(error));

  function toTree(value, depth = 0, seen = new Map()) {
    if (depth >= 1000) {
      throw new TypeError(
        'Electron contextBridge recursion depth exceeded.  Nested objects deeper than 1000 are not supported.',
      );
    }
    if (typeof value === 'function') return ['f', functions.push(value) - 1];
    const primitive = codec.encodePrimitive(value);
    if (primitive !== undefined) return primitive;
    if (seen.has(value)) return ['R', seen.get(value)];
    if (value instanceof Promise) {
      const id = ++lastPromise;
      const settle = (ok) => (result) => {
        let body;
        try {
          body = { id, ok, value: ok ? toTree(result) : errorTree(result) };
        } catch (error) {
          body = { id, ok: false, value: errorTree(error) };
        }
        request('settle', body);
      };
      value.then(settle(true), settle(false));
      return ['P', id];
    }
    if (value instanceof Error) return errorTree(value);
    // A node would cross as itself; what matters here is that it crosses and is refused by what follows.
    if (value instanceof Node) return ['N'];
    const walk = (child) => toTree(child, depth + 1, seen);
    if (Array.isArray(value)) {
      seen.set(value, seen.size);
      return ['A', Array.from(value, walk)];
    }
    if (Object.prototype.toString.call(value) === '[object Object]') {
      seen.set(value, seen.size);
      return ['O', Object.keys(value).flatMap((key) => [key, walk(value[key])])];
    }
    return ['C', codec.encode(value)];
  }

  function fromTree(tree, made = []) {
    if (!Array.isArray(tree)) return tree;
    const [tag, a] = tree;
    switch (tag) {
      case 'f':
        return (...args) => fromTree(request('call', { id: a, args: args.map((arg) => toTree(arg)) }));
      case 'P':
        return new Promise((resolve, reject) => promises.set(a, { resolve, reject }));
      case 'E':
        return new Error(a);
      case 'N':
        return document.createComment('');
      case 'R':
        return made[a];
      case 'A': {
        const array = [];
        made.push(array);
        for (const child of a) array.push(fromTree(child, made));
        return array;
      }
      case 'O': {
        const object = {};
        made.push(object);
        for (let i = 0; i < a.length; i += 2) {
          const value = fromTree(a[i + 1], made);
          Object.defineProperty(object, a[i], { value, writable: true, enumerable: true, configurable: true });
        }
        return object;
      }
      case 'C':
        return codec.decode(a);
      default:
        return codec.decode(tree);
    }
  }

  return { services, request, toTree, fromTree };
}
