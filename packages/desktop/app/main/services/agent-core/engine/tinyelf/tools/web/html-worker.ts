import { parentPort, workerData } from 'node:worker_threads';
import { htmlToMarkdown, htmlToPlainText } from './html-to-markdown.ts';

/**
 * The program of a worker thread that turns one page into text, told by its data what to do, and ends. It says `ready` when it
 * has been loaded, and then the text.
 */
const { html, url, plain } = workerData as { html: string; url: string; plain: boolean };
parentPort?.postMessage('ready');
parentPort?.postMessage(plain ? htmlToPlainText(html) : htmlToMarkdown(html, url));
