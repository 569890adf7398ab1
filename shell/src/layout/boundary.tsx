import { Component, type ReactNode } from 'react';

interface BoundaryProps {
  children: ReactNode;
  onError: (error: Error) => void;
}

/** Renders nothing after an error. */
export class Boundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: Error): void {
    this.props.onError(error);
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}
