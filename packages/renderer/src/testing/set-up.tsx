import { cleanup, configure, render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { setUpTexts } from '../i18n/index.ts';
import { useAgent } from '../stores/agent.ts';
import { useApp } from '../stores/app.ts';
import { useChat } from '../stores/chat.ts';
import { useContent } from '../stores/content.ts';
import { useConversations } from '../stores/conversations.ts';
import { useDrafts } from '../stores/drafts.ts';
import { useProviders } from '../stores/providers.ts';
import { useServerRequests } from '../stores/server-requests.ts';
import { useServers } from '../stores/servers.ts';
import { useSettings } from '../stores/settings.ts';
import { useToasts } from '../stores/toasts.ts';
import { useToolRuns } from '../stores/tool-runs.ts';
import { TooltipProvider } from '../ui/Tooltip.tsx';
import { createFakeApi, type FakeApi, type FakeState } from './fake-api.ts';
import { InPageHighlighter } from './in-page-highlighter.ts';

// Other work may share the processor: waiting longer costs nothing where all goes well.
configure({ asyncUtilTimeout: 10_000 });

const resets = [
  () => useAgent.setState(useAgent.getInitialState(), true),
  () => useApp.setState(useApp.getInitialState(), true),
  () => useChat.setState(useChat.getInitialState(), true),
  () => useContent.setState(useContent.getInitialState(), true),
  () => useConversations.setState(useConversations.getInitialState(), true),
  () => useDrafts.setState({ drafts: {}, attachments: {} }),
  () => useProviders.setState(useProviders.getInitialState(), true),
  () => useServerRequests.setState(useServerRequests.getInitialState(), true),
  () => useServers.setState(useServers.getInitialState(), true),
  () => useSettings.setState(useSettings.getInitialState(), true),
  () => useToasts.setState(useToasts.getInitialState(), true),
  () => useToolRuns.setState({ runs: {} }),
];

/** Puts a fake main behind `window.api` and empties every store. Call it before each test that touches either. */
export async function setUp(initial: Partial<FakeState> = {}): Promise<FakeApi> {
  cleanup();
  setUpTexts();
  const fake = createFakeApi(initial);
  Object.defineProperty(globalThis.window ?? globalThis, 'api', { value: fake.api, configurable: true });
  Object.defineProperty(globalThis, 'Worker', { value: InPageHighlighter, configurable: true });
  await useChat.getState().open(null);
  for (const reset of resets) reset();
  return fake;
}

/** Renders with the providers that every view has around it. */
export const renderInApp = (element: ReactElement) => render(<TooltipProvider>{element}</TooltipProvider>);
