import { inCache } from './paths.mjs';

/** For the environment of programs that are started many times: Node keeps what it has compiled. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: inCache('compiled') };
