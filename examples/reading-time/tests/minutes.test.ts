import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minutesToRead } from '../web/minutes.ts'

test('a short text takes a minute', () => assert.equal(minutesToRead('<p>Hello</p>'), 1))
test('words are counted, tags are not', () => assert.equal(minutesToRead(`<p class="a b c">${'word '.repeat(690)}</p>`), 3))
test('Chinese is counted by characters', () => assert.equal(minutesToRead(`<p>${'读'.repeat(1600)}</p>`), 4))
