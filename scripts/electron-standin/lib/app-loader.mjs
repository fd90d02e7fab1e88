import fs from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Runs the app as `electron PATH` does: a folder with a package.json gives the app its name and version, a script of
 * its own gets Electron's.
 *
 * @param {string} given
 * @param {import('./app.mjs').App} app
 * @returns {Promise<void>} when the main script and what it awaits have run
 */
export async function loadApp(given, app) {
  const packagePath = path.resolve(given);
  const packageFile = path.join(packagePath, 'package.json');
  const isPackage = fs.existsSync(packageFile);
  const { name, productName, version } = isPackage ? JSON.parse(fs.readFileSync(packageFile, 'utf8')) : {};
  let script;
  try {
    script = /** @type {any} */ (Module)._resolveFilename(packagePath, null, true);
  } catch (error) {
    process.stderr.write(`Unable to find Electron app at ${packagePath}\n\n${/** @type {Error} */ (error).message}\n`);
    return app.exit(1);
  }
  app.standin.identify({ appPath: isPackage ? packagePath : path.dirname(script), name: productName ?? name, version });
  try {
    await import(pathToFileURL(script).href);
  } catch (error) {
    console.error('App threw an error during load');
    console.error(error instanceof Error ? error.stack : error);
    throw error;
  }
}
