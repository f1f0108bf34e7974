import { KernelContext } from '@stoa/sdk/kernel/web'
import { Provider } from 'jotai'
import type { ReactNode } from 'react'
import { Frame } from '../frame/frame.tsx'
import type { Core } from '../kernel/core.ts'
import { CoreContext } from '../kernel/core.ts'
import { AppRouter } from '../router/router.tsx'

/** The whole page, the same on the server and in the browser. */
export const App = ({ core }: { core: Core }) => (
  <Surroundings core={core}>
    <Frame />
  </Surroundings>
)

/** What everything in a page may ask of. */
export function Surroundings({ core, children }: { core: Core; children: ReactNode }) {
  return (
    <Provider store={core.store}>
      <CoreContext value={core}>
        <KernelContext value={core.kernel}>
          <AppRouter>{children}</AppRouter>
        </KernelContext>
      </CoreContext>
    </Provider>
  )
}
