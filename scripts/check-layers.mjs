import { checkLayers } from './lib/layers/check.mjs';
import { ROOT } from './lib/paths.mjs';

const { files, violations } = checkLayers(ROOT);
for (const violation of violations) console.error(violation);
console.log(`${files} files, ${violations.length} imports against the layers (scripts/lib/layers/rules.mjs)`);
process.exitCode = violations.length === 0 ? 0 : 1;
