import { hash } from 'node:crypto'

export interface CallReply {
  status: number
  body: string
}

/** Address of each call that a page was made of → digest of its reply, null when it failed. */
export type Sources = ReadonlyMap<string, string | null>

/** The calls that one page is made of: each is asked once, however often it is needed. */
export class PageCalls {
  readonly #ask: (url: string) => Promise<CallReply>
  readonly #asked = new Map<string, Promise<CallReply>>()

  /** @param ask as a visitor, in the page's language */
  constructor(ask: (url: string) => Promise<CallReply>) {
    this.#ask = ask
  }

  call(url: string): Promise<CallReply> {
    let reply = this.#asked.get(url)
    if (!reply) {
      reply = this.#ask(url)
      this.#asked.set(url, reply)
    }
    return reply
  }

  /** What a page that was made with these depends on. */
  async sources(): Promise<Sources> {
    return new Map(await Promise.all([...this.#asked.keys()].map(async (url) => [url, await this.#digest(url)] as const)))
  }

  /** Whether a page made of `sources` would be the same now. */
  async areStill(sources: Sources): Promise<boolean> {
    const same = await Promise.all([...sources].map(async ([url, digest]) => digest !== null && (await this.#digest(url)) === digest))
    return same.every(Boolean)
  }

  async #digest(url: string): Promise<string | null> {
    const reply = await this.call(url).catch(() => null)
    return reply && `${reply.status} ${hash('sha256', reply.body, 'base64')}`
  }
}
