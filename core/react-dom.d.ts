/** The few functions of react-dom that core calls; its types are a package of their own that nothing else here needs. */
declare module 'react-dom/client' {
  import type { ReactNode } from 'react'

  interface RootOptions {
    onRecoverableError?(error: unknown, info: { componentStack?: string }): void
    onUncaughtError?(error: unknown): void
    onCaughtError?(error: unknown): void
  }
  export function createRoot(container: Element, options?: RootOptions): { render(node: ReactNode): void }
  export function hydrateRoot(container: Element, node: ReactNode, options?: RootOptions): { render(node: ReactNode): void }
}
declare module 'react-dom/server.node' {
  import type { ReactNode } from 'react'

  interface StreamOptions {
    progressiveChunkSize?: number
    onShellError?(error: unknown): void
    onError?(error: unknown, info: { componentStack?: string }): void
    onAllReady?(): void
  }
  export function renderToPipeableStream(
    node: ReactNode,
    options?: StreamOptions,
  ): { pipe<T extends NodeJS.WritableStream>(target: T): T; abort(reason?: unknown): void }
}
declare module 'react-dom' {
  import type { ReactNode, ReactPortal } from 'react'
  export function createPortal(children: ReactNode, container: Element): ReactPortal
  export function flushSync<T>(fn: () => T): T
  const all: unknown
  export default all
}
