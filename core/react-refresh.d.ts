declare module 'react-refresh/runtime' {
  export type Register = (type: unknown, id: string) => void
  export type Sign = () => (type: unknown, key?: string, forceReset?: boolean, getCustomHooks?: () => unknown[]) => unknown
  const runtime: {
    injectIntoGlobalHook(window: object): void
    register: Register
    createSignatureFunctionForTransform: Sign
    performReactRefresh(): unknown
  }
  export default runtime
}
