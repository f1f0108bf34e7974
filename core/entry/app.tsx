import { KernelContext } from '@stoa/sdk/kernel/web'
import { Provider } from 'jotai'
import { Frame } from '../frame/frame.tsx'
import type { Core } from '../kernel/core.ts'
import { CoreContext } from '../kernel/core.ts'
import { AppRouter } from '../router/router.tsx'

/** The whole page, the same on the server and in the browser. */
export function App({ core }: { core: Core }) {
  return (
    <Provider store={core.store}>
      <CoreContext value={core}>
        <KernelContext value={core.kernel}>
          <AppRouter>
            <Frame />
          </AppRouter>
        </KernelContext>
      </CoreContext>
    </Provider>
  )
}
