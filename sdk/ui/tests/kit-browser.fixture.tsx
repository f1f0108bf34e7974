import { hydrateRoot } from 'react-dom/client'
import { KitPage } from './kit.fixture.tsx'

const { lang, dataset } = document.documentElement
const faults: string[] = []
Object.assign(window, { faults })
const page = <KitPage language={lang.replace('-', '_')} at={Number(dataset.at)} address={location.pathname + location.search} />
hydrateRoot(document.getElementById('root') as HTMLElement, page, { onRecoverableError: (error) => faults.push(String(error)) })
