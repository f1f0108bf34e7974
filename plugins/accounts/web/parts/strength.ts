import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

const estimate = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })

/** @returns 0 for what is guessed at once, up to 4 for what nobody guesses */
export const strengthOf = (password: string, own: readonly string[]): number => estimate.check(password.slice(0, 100), [...own]).score
