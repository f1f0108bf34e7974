import type { Site } from '@stoa/sdk/testing'

/** Everything of a running site that plugins add and that can be seen from outside, in a form that can be compared. */
export interface Surface {
  /** `GET /path`, sorted. */
  calls: string[]
  /** Slugs that calls or texts belong to. */
  owners: string[]
}

interface ApiDocument {
  paths: Record<string, Record<string, { tags: string[] }>>
}

export async function apiDocument(site: Site): Promise<ApiDocument> {
  return JSON.parse((await site.visitor().get('/openapi.json')).text) as ApiDocument
}

export async function surfaceOf(site: Site): Promise<Surface> {
  await site.idle()
  const operations = Object.entries((await apiDocument(site)).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, owner: operation.tags[0] ?? '' })),
  )
  return {
    calls: operations.map(({ call }) => call).sort(),
    owners: [...new Set(operations.map(({ owner }) => owner))].sort(),
  }
}

/** Timers that keep the process busy. */
export const runningTimers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
