import type { ComponentType, ReactNode } from 'react'
import { Suspense } from 'react'
import { moduleId } from '../../sdk/pages/page-state.ts'
import { useCore, useValue } from '../kernel/core.ts'
import { development } from '../kernel/development.ts'
import type { Loaded } from '../kernel/loader.ts'
import { OwnerContext } from '../kernel/owner.ts'
import { restingAtom, restingKey } from '../kernel/tab-faults.ts'
import { waitWhile } from '../kernel/wait-while.ts'
import { Boundary } from './boundary.tsx'
import { useHydrated } from './hydrated.ts'

/** Marks the place of a contribution that failed while rendering on the server; the renderer looks for it and leaves it out. */
export const FAILED_MARK = 'data-stoa-failed'

export interface ContributionProps {
  slug: string
  generation: string
  module: string
  onServer: boolean
  waiting?: ReactNode
  /** The place has a Suspense boundary that outlives the contribution. */
  suspends?: boolean
  instead?: (error: unknown, retry: () => void) => ReactNode
  render(module: Loaded): ReactNode
}

/** One contribution of a plugin with Suspense and error boundary of its own: what happens inside stays inside. */
export function Contribution(props: ContributionProps) {
  const core = useCore()
  const hydrated = useHydrated()
  const id = moduleId(props.slug, props.module)
  const waiting = props.waiting ?? null
  const resting = useValue(restingAtom)
  const key = restingKey(props.slug, props.generation)
  if (resting.has(key)) return props.instead?.(resting.get(key), () => core.faults.tryAgain(props.slug)) ?? null
  if (!hydrated && (!props.onServer || core.failed.has(id))) return waiting
  const fallback = core.isServer ? <i {...{ [FAILED_MARK]: id }} /> : waiting
  const Named = core.named?.(id, Content) ?? Content
  const named = <Named {...props} />
  const content = props.suspends ? named : <Suspense fallback={fallback}>{named}</Suspense>
  // There nothing is caught by it.
  if (core.isServer) return content
  return (
    <Boundary
      name={id}
      key={development() ? '' : props.generation}
      version={props.generation}
      onFault={(error) => core.faults.charge(props.slug, error)}
      {...(props.instead ? { instead: props.instead } : {})}
    >
      {content}
    </Boundary>
  )
}

function Content({ slug, generation, module, render }: ContributionProps) {
  const loaded = useModule(slug, generation, module)
  return <OwnerContext value={slug}>{render(loaded)}</OwnerContext>
}

/** Code and texts of a contribution; suspends until both are there. */
function useModule(slug: string, generation: string, module: string): Loaded {
  const core = useCore()
  core.used.set(moduleId(slug, module), [slug, module])
  const language = core.kernel.useLanguage()
  const there = () => core.loader.peek(slug, generation, module)
  // Both at once, before either is waited for.
  void core.texts.ensure(slug, language)
  waitWhile(() => (there() ? undefined : core.loader.load(slug, generation, module)))
  waitWhile(() => core.texts.ensure(slug, language))
  return there() as Loaded
}

/** The default export of a module as a component. */
export function componentOf<P>(module: Loaded): ComponentType<P> {
  return module.default as ComponentType<P>
}
