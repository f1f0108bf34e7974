import { useLocation } from '@stoa/sdk/web'
import type { ComponentType } from 'react'
import { useEffect, useLayoutEffect, useState } from 'react'
import { useCore } from '../kernel/core.ts'
import { matchPage } from '../kernel/registry.ts'
import { usePending } from './router.tsx'

/** As long as this the page before stands, so that quick ones do not flicker. */
const PATIENCE_MS = 150

/**
 * The shape of the page that is on its way, once that takes a moment; undefined while the present page is to stand: nothing is on its way, the
 * other one says no shape, or comes with another layout.
 */
export function useComing(): ComponentType | undefined {
  const core = useCore()
  const pending = usePending()
  const { pathname } = useLocation()
  const [shape, setShape] = useState<ComponentType>()
  useEffect(() => {
    const next = core.history.location.pathname
    const [to, from] = [matchPage(core.map(), next)?.route, matchPage(core.map(), pathname)?.route]
    if (!pending || next === pathname || !to || to.layout !== from?.layout) return
    let isOver = false
    const timer = setTimeout(() => {
      core.loader.load(to.slug, to.generation, to.module).then(
        ({ Waiting }) => !isOver && setShape(() => Waiting as ComponentType | undefined),
        // The page itself says so.
        () => {},
      )
    }, PATIENCE_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
      setShape(undefined)
    }
  }, [core, pending, pathname])
  const shown = pending ? shape : undefined
  useLayoutEffect(() => {
    if (shown) scrollTo({ top: 0, behavior: 'instant' })
  }, [shown])
  return shown
}
