import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { setUpTexts } from './i18n/index.ts';
import './styles/index.css';

setUpTexts();
if (import.meta.env.DEV) {
  void import('./bridge/validate.ts').then(({ checkBatch }) => window.api.subscribe(checkBatch));
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
