import { renderToString } from 'react-dom/server'
import { loadIcons } from '../icon.tsx'
import { KitPage } from './kit.fixture.tsx'

await loadIcons()

/** HTML of the page as a server sends it. */
export const render = (language: string, at: number, address: string): string =>
  renderToString(<KitPage language={language} at={at} address={address} />)
