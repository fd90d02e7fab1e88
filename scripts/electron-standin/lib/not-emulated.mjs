import { EventEmitter } from 'node:events';

/**
 * What runtimes and inspectors look for on any object: Node's EventEmitter and util.inspect, promises, JSON, and
 * Playwright's serializer. Asking for one of these is no use of Electron's API.
 */
const PROBED_BY_TOOLS = new Set([
  'then',
  'catch',
  'toJSON',
  'inspect',
  'domain',
  'nodeType',
  'tagName',
  'asymmetricMatch',
  'default',
  '__esModule',
]);

/**
 * @param {string | symbol} key
 * @returns {boolean} whether a missing `key` reads as undefined instead of throwing
 */
const mayBeMissing = (key) => typeof key === 'symbol' || key.startsWith('_') || PROBED_BY_TOOLS.has(key);

/**
 * @param {string} name as the app wrote it, for example `app.dock`
 * @returns {Error}
 */
export function notEmulated(name) {
  return new Error(`not emulated: ${name}`);
}

/**
 * The end of a prototype chain that throws for every name that isn't on the objects before it. Sitting at the end (and
 * not around the object) leaves `this` alone, so that private fields keep working.
 *
 * @param {string} owner the name to report, for example `app`
 * @param {object} prototype the prototype that the chain would have had
 */
function refusingPrototype(owner, prototype) {
  return new Proxy(prototype, {
    get(target, key, receiver) {
      if (key in target || mayBeMissing(key)) return Reflect.get(target, key, receiver);
      throw notEmulated(`${owner}.${key}`);
    },
    // `instanceof` compares prototypes by identity and would not see through the proxy.
    getPrototypeOf: (target) => target,
  });
}

/**
 * Makes `object` throw `not emulated: owner.name` for what it lacks.
 *
 * @template {object} T
 * @param {string} owner
 * @param {T} object
 * @returns {T} the same object
 */
export function refuseMissing(owner, object) {
  return Object.setPrototypeOf(object, refusingPrototype(owner, Object.prototype));
}

/**
 * A base class: an EventEmitter that throws for what its subclasses don't define.
 *
 * @param {string} owner
 * @returns {typeof EventEmitter}
 */
export function refusingEmitter(owner) {
  class RefusingEmitter extends EventEmitter {}
  Object.setPrototypeOf(RefusingEmitter.prototype, refusingPrototype(owner, EventEmitter.prototype));
  return RefusingEmitter;
}

/**
 * Stands for a whole part of Electron. Importing it is fine (bundlers import more than an app uses); touching it isn't.
 *
 * @param {string} name
 */
export function absent(name) {
  const refuse = () => {
    throw notEmulated(name);
  };
  return new Proxy(function absentPart() {}, {
    get(target, key) {
      if (mayBeMissing(key) || key === 'prototype') return Reflect.get(target, key);
      throw notEmulated(`${name}.${key}`);
    },
    apply: refuse,
    construct: refuse,
  });
}
