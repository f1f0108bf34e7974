/** A puzzle in the form of ALTCHA (version 1): a number from 0 to `maxnumber` whose SHA-256 after the salt, as hexadecimal digits, is the challenge. */
export interface Work {
  algorithm: 'SHA-256'
  challenge: string
  salt: string
  maxnumber: number
}
