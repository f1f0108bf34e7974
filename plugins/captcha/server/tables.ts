export interface Tables {
  captcha__challenge: {
    id: string
    action: string
    /** Person and network that it was made for. */
    unit: string
    /** Plugin that made it: another one cannot judge it. */
    slug: string
    answer: string
    /** Unix seconds. */
    expires_at: number
  }
}
