import { cloneCodec } from './clone-codec.mjs';
import { createEvent } from './events.mjs';
import { ipcMain } from './ipc-main.mjs';
import { refuseMissing } from './not-emulated.mjs';
import { toAppUrl } from './scheme-urls.mjs';

/**
 * Delivers what `ipcRenderer.invoke` and `ipcRenderer.send` sent.
 *
 * @param {import('./web-contents.mjs').WebContents} contents
 * @param {{ type: 'invoke' | 'send', id?: number, channel: string, args: unknown }} message
 * @param {number} contextId the script context it came from
 */
export function deliverIpc(contents, { type, id, channel, args }, contextId) {
  const { frames } = contents.standin;
  const document = frames.ofContext(contextId);
  const sender = {
    type: 'frame',
    sender: contents,
    frameId: document?.routingId ?? 0,
    frameTreeNodeId: document?.frameTreeNodeId ?? 0,
    processId: contents.id,
    /** Null once the page has gone elsewhere. */
    get senderFrame() {
      return document && !document.isDestroyed() ? document : null;
    },
  };
  const values = /** @type {unknown[]} */ (cloneCodec.decode(args));
  if (type === 'send') {
    const reply = (replyChannel, ...replyArgs) => document?.send(replyChannel, ...replyArgs);
    // Its getter must stay one.
    const event = Object.defineProperties({ ports: [], reply }, Object.getOwnPropertyDescriptors(sender));
    ipcMain.standin.sent(event, channel, values);
    return;
  }
  const answer = (body) => frames.postToContext(contextId, { type: 'reply', id, ...body });
  const reply = (result) => answer({ result: cloneCodec.encode(result) });
  void ipcMain.standin.invoked(sender, channel, values, reply, (error) => answer({ error }));
}

/**
 * @param {import('./web-contents.mjs').WebContents} contents
 * @param {any} details
 */
export function showContextMenu(contents, details) {
  const { linkURL, srcURL, pageURL } = details;
  const urls = { linkURL: toAppUrl(linkURL), srcURL: toAppUrl(srcURL), pageURL: toAppUrl(pageURL) };
  const params = refuseMissing('context-menu', { ...details, ...urls, frame: contents.mainFrame });
  contents.emit('context-menu', createEvent(), params);
}

/**
 * `alert` and `confirm` are message boxes, `prompt` doesn't exist, and a page may object to its unloading.
 *
 * @param {import('./web-contents.mjs').WebContents} contents
 * @param {{ type: string, message: string }} opening
 * @param {typeof import('./dialog.mjs').dialog} dialog
 */
export async function answerPageDialog(contents, { type, message }, dialog) {
  let accept = false;
  if (type === 'beforeunload') {
    const event = createEvent();
    contents.emit('will-prevent-unload', event);
    accept = event.defaultPrevented;
  } else if (type !== 'prompt') {
    const buttons = type === 'confirm' ? ['OK', 'Cancel'] : ['OK'];
    const { response } = await dialog.showMessageBox(contents.standin.owner, { message, buttons });
    accept = response === 0;
  }
  await contents.standin.session.send('Page.handleJavaScriptDialog', { accept }).catch(() => {});
}
