import type { ErrorInfo, ReactNode } from 'react'
import { Component } from 'react'
import { isRefusal } from '../kernel/call.ts'

interface BoundaryProps {
  /** Contribution that is inside, for the log. */
  name: string
  /** Another one is tried even where the one before failed. */
  version?: string
  /** Shown instead; nothing by default. */
  instead?: (error: unknown, retry: () => void) => ReactNode
  onFault(error: unknown): void
  children: ReactNode
}

/** Keeps the fault of one contribution to its own place. */
export class Boundary extends Component<BoundaryProps, { error: unknown; failed: boolean }> {
  override state = { error: undefined as unknown, failed: false }

  static getDerivedStateFromError(error: unknown) {
    return { error, failed: true }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    // The network has noted a refusal already, such as that of a post that is gone.
    if (!isRefusal(error)) console.error(`${this.props.name} failed`, error, info.componentStack)
    this.props.onFault(error)
  }

  override componentDidUpdate(before: BoundaryProps): void {
    if (before.version !== this.props.version && this.state.failed) this.setState({ error: undefined, failed: false })
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return this.props.instead?.(this.state.error, () => this.setState({ error: undefined, failed: false })) ?? null
  }
}
