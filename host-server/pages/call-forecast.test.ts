import { describe, expect, it } from 'vitest'
import { CallForecast } from './call-forecast.ts'

const info = (id: string) => `/answer/api/v1/experience/info?id=${id}`
const popular = '/answer/api/v1/tags/page?page=1&page_size=12&query_cond=popular'

describe('calls of a page', () => {
  it('are foreseen once two pages of the same shape have made them', () => {
    const forecast = new CallForecast()
    forecast.learn('/experiences/10010000000000001', [info('10010000000000001'), popular])
    expect(forecast.of('/experiences/10010000000000002')).toEqual([])
    forecast.learn('/experiences/10010000000000002', [info('10010000000000002'), popular])
    expect(forecast.of('/experiences/10010000000000003')).toEqual([info('10010000000000003'), popular])
    expect(forecast.of('/experiences/10010000000000003/title')).toEqual([])
    expect(forecast.of('/tags/10010000000000003')).toEqual([])
  })

  it('take what the page has in its query, and what is written otherwise there', () => {
    const forecast = new CallForecast()
    const list = (page: number, tag: string) => `/list?order=newest&page=${page}&${new URLSearchParams({ tag })}`
    for (const [page, tag] of [
      [1, 'a b'],
      [2, '读书'],
    ] as const)
      forecast.learn(`/tags/${encodeURIComponent(tag)}?page=${page}&order=newest`, [list(page, tag)])
    expect(forecast.of('/tags/c%26d?order=newest&page=7')).toEqual([list(7, 'c&d')])
  })

  it('are not foreseen where they name what no address tells', () => {
    const forecast = new CallForecast()
    const given = new Map([['/info', { status: 200, body: Buffer.from('{"data":{"pinned":false}}') }]])
    const path = '/experiences/10010000000000001'
    for (let answer = 1001; answer < 1100; answer++) forecast.learn(path, [`/comments?object_id=${answer}`], given)
    expect(forecast.of(path)).toEqual([])
    // They take nobody's place.
    for (let n = 0; n < 2; n++) forecast.learn(path, ['/info'], given)
    expect(forecast.of(path)).toEqual(['/info'])
  })

  it('are those that pages have made: an address does not say which', () => {
    const forecast = new CallForecast()
    for (let n = 0; n < 3; n++) forecast.learn('/tags/popular', ['/answer/api/v1/popular?tag=popular'])
    expect(forecast.of('/tags/logout')).toEqual(['/answer/api/v1/popular?tag=logout'])
  })

  it('are forgotten when pages make them no more', () => {
    const forecast = new CallForecast()
    for (let n = 0; n < 10; n++) forecast.learn('/', ['/old'])
    expect(forecast.of('/')).toEqual(['/old'])
    for (let n = 0; n < 3; n++) forecast.learn('/', ['/new'])
    expect(forecast.of('/')).toEqual(['/new'])
  })

  it('are not foreseen where every other page makes them', () => {
    const forecast = new CallForecast()
    forecast.learn('/', ['/always', '/sometimes'])
    for (let n = 0; n < 10; n++) {
      forecast.learn('/', ['/always'])
      forecast.learn('/', ['/always', '/sometimes'])
      expect(forecast.of('/')).toEqual(['/always'])
    }
  })

  it('are foreseen of some pages where another reply tells of which', () => {
    const forecast = new CallForecast()
    const answers = (id: number) => `/answers?of=${1000 + id}`
    const given = (data: object) => new Map([['/info', { status: 200, body: Buffer.from(JSON.stringify({ data })) }]])
    const about = (id: number) => given({ views: id, answers: id % 3, beside: { closed: id % 2 === 0 } })
    for (let id = 1; id < 20; id++) forecast.learn(`/posts/${1000 + id}`, id % 3 > 0 ? ['/info', answers(id)] : ['/info'], about(id))
    expect(forecast.of('/posts/1020')).toEqual(['/info'])
    expect(forecast.told('/posts/1020', about(20))).toEqual([answers(20)])
    expect(forecast.told('/posts/1021', about(21))).toEqual([])
    expect(forecast.told('/posts/1020', new Map())).toEqual([])
    expect(forecast.told('/posts/1020', new Map([['/info', { status: 200, body: Buffer.from('no JSON') }]]))).toEqual([])
    // It has told wrong, and nothing else has told.
    forecast.learn('/posts/1020', ['/info'], about(20))
    expect(forecast.told('/posts/1022', about(22))).toEqual([])
    // It begins anew.
    for (let id = 23; id < 40; id++) forecast.learn(`/posts/${1000 + id}`, id % 3 > 0 ? ['/info', answers(id)] : ['/info'], about(id))
    expect(forecast.told('/posts/1040', about(40))).toEqual([answers(40)])
  })

  it('come from no address that is too long, malformed or has too much in it', () => {
    const forecast = new CallForecast()
    const paths = [`/${'x'.repeat(600)}`, '/tags/%E0%A4%A', `/?${Array.from({ length: 20 }, (_, n) => `a${n}=1`).join('&')}`]
    for (const path of [...paths, ...paths]) forecast.learn(path, ['/call'])
    for (const path of paths) expect(forecast.of(path)).toEqual([])
  })

  it('are twenty at most', () => {
    const forecast = new CallForecast()
    const calls = Array.from({ length: 50 }, (_, n) => `/call/${n}`)
    forecast.learn('/', calls)
    forecast.learn('/', calls)
    expect(forecast.of('/')).toHaveLength(20)
  })
})
