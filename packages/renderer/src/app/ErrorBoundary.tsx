import { Component, type ErrorInfo, type ReactNode } from 'react';
import { text } from '../i18n/index.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';

/** Shows a way on where a view throws, in place of an empty window. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error('A view failed', error, info.componentStack);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div role="alert" className="flex h-full items-center">
        <EmptyState
          title={text('shell:crash.title')}
          actions={
            <Button variant="primary" onClick={() => location.reload()}>
              {text('shell:crash.reload')}
            </Button>
          }
        >
          {text('shell:crash.text')}
        </EmptyState>
      </div>
    );
  }
}
