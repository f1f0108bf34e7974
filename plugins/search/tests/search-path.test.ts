import { expect, it } from 'vitest'
import { postPath, searchPath, snapshotPath } from '../web/search-path.ts'

it('leaves what is usual out of an address', () => {
  expect(searchPath('/search', { q: '咖啡 [tag]', order: 'relevance' })).toBe('/search?q=%E5%92%96%E5%95%A1+%5Btag%5D')
  expect(searchPath('/search', { q: 'a', order: 'newest', page: 3 })).toBe('/search?q=a&order=newest&page=3')
})

it('leads links to snapshots to the page itself, on this site only', () => {
  expect(snapshotPath('cache:Ab1:https://site.example/experiences/1', 'https://site.example')).toBe('/experiences/1')
  expect(snapshotPath('cache:Ab1:site.example/tags', 'https://site.example')).toBe('/tags')
  expect(snapshotPath('cache:Ab1:https://evil.example/x', 'https://site.example')).toBeUndefined()
  expect(snapshotPath('train', 'https://site.example')).toBeUndefined()
})

it('links posts and answers under each permalink', () => {
  const answer = { id: 'E1D1', experience_id: 'D1D1', url_title: 'a-title' }
  expect([1, 2].map((permalink) => postPath(permalink, answer))).toEqual(['/experiences/D1D1/a-title/E1D1', '/experiences/D1D1/E1D1'])
  expect(postPath(3, { ...answer, id: 'D1D1' })).toBe('/experiences/D1D1/a-title')
})
