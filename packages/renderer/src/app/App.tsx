import { lazy, Suspense, useEffect } from 'react';
import { ChatView } from '../features/chat/ChatView.tsx';
import { RequestBar } from '../features/requests/RequestBar.tsx';
import { useApp } from '../stores/app.ts';
import { connectStores } from '../stores/connect.ts';
import { Toaster } from '../ui/Toaster.tsx';
import { TooltipProvider } from '../ui/Tooltip.tsx';
import { runCommand } from './commands.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { LiveRegion } from './LiveRegion.tsx';
import { NoticeBanners } from './NoticeBanners.tsx';
import { useTheme } from './theme.ts';
import { useWindowTitle } from './title.ts';

const SettingsView = lazy(() => import('../features/settings/SettingsView.tsx'));

export function App() {
  useTheme();
  useWindowTitle();
  useEffect(() => connectStores(runCommand), []);
  const inSettings = useApp((state) => state.view.name === 'settings');
  return (
    <TooltipProvider delayDuration={500} skipDelayDuration={200}>
      <div className="flex h-full flex-col bg-surface-0">
        <NoticeBanners />
        <RequestBar />
        <div className="min-h-0 grow">
          <ErrorBoundary key={String(inSettings)}>
            {inSettings ? (
              <Suspense>
                <SettingsView />
              </Suspense>
            ) : (
              <ChatView />
            )}
          </ErrorBoundary>
        </div>
      </div>
      <Toaster />
      <LiveRegion />
    </TooltipProvider>
  );
}
