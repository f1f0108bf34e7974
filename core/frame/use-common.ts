import type { ReactNode } from 'react'
import { useCore } from '../kernel/core.ts'

/**
 * What is inside of an element, for those parts of the frame that are the same on many pages: the server draws them once.
 * @param from what they are drawn from: the same object as long as it has not changed
 * @param name everything else that they are drawn from; no component in it may use `useId`, which counts its place in the page
 */
export function useCommon(
  from: object,
  name: string,
  draw: () => ReactNode,
): { children: ReactNode } | { dangerouslySetInnerHTML: { __html: string } } {
  const { common } = useCore()
  const html = common?.find(from, name)
  if (html !== undefined) return { dangerouslySetInnerHTML: { __html: html } }
  const children = draw()
  common?.ask(from, name, children)
  return { children }
}
