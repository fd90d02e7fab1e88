import { httpFaults } from './http-faults.mjs';
import { processFaults } from './process-faults.mjs';
import { stdioFaults } from './stdio-faults.mjs';

/** Every fault by its name, in the order of the table. */
export const FAULTS = { ...stdioFaults, ...httpFaults, ...processFaults };
