import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import agent from './en/agent.json';
import chat from './en/chat.json';
import common from './en/common.json';
import content from './en/content.json';
import providers from './en/providers.json';
import requests from './en/requests.json';
import servers from './en/servers.json';
import settings from './en/settings.json';
import shell from './en/shell.json';
import tools from './en/tools.json';

/** The English catalogue: one file per feature, the source of the types of every key. */
export const catalogue = {
  agent,
  common,
  shell,
  chat,
  content,
  settings,
  providers,
  requests,
  servers,
  tools,
} as const;

/** Makes the catalogue ready; synchronous, since the texts are part of the bundle. */
export function setUpTexts(): void {
  if (i18next.isInitialized) return;
  void i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    initAsync: false,
    resources: { en: catalogue },
    ns: Object.keys(catalogue),
    defaultNS: 'common',
    // React escapes what it renders; escaping here as well would show `&amp;` to people.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
}

/** For texts outside components, such as in stores. In a component use `useTranslation('feature')`. */
export const text = i18next.t;
