import { elapsed, formatCount, formatDateTime } from '@stoa/sdk/web'
import { describe, expect, it } from 'vitest'

describe('counts', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [9999, '9,999'],
    [10_000, '10.0k'],
    [12_345, '12.3k'],
    [999_999, '999.9k'],
    [1_000_000, '1.0m'],
    [2_560_000, '2.5m'],
    [-12_345, '-12.3k'],
    ['1200', '1,200'],
    ['', '0'],
    ['x', '0'],
    [undefined, '0'],
    [Number.NaN, '0'],
  ])('%s is %s', (value, text) => expect(formatCount(value)).toBe(text))
})

describe('elapsed time', () => {
  it.each([
    [0, 'less_hour', 0],
    [3599, 'less_hour', 0],
    [3600, 'hours', 1],
    [86_399, 'hours', 23],
    [86_400, 'days', 1],
    [-5, 'less_hour', 0],
  ])('%s seconds', (seconds, unit, count) => expect(elapsed(1_000_000, 1_000_000 + seconds)).toEqual({ unit, count }))
})

describe('dates', () => {
  it('are in the language and zone of the site; an unknown zone is UTC', () => {
    expect(formatDateTime(0, 'zh_CN', 'Asia/Shanghai')).toContain('1970年1月1日')
    expect(formatDateTime(0, 'zh_CN', 'Asia/Shanghai')).toContain('08:00')
    expect(formatDateTime(0, 'en_US', 'Nowhere/Land', 'date')).toBe('Jan 1, 1970')
  })
})
