import type { ApiOptions } from '@stoa/sdk/web'
import type { Envelope } from './call.ts'

/** Sends a file with progress, which `fetch` cannot tell. No time-out: a large picture on a slow line takes its time. */
export function uploadFile(
  url: string,
  fields: Record<string, string>,
  file: File,
  effects: { token(): string | undefined; language(): string },
  options: ApiOptions & { onProgress?: (share: number) => void },
): Promise<{ status: number; envelope: Envelope | null }> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', file)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    const token = effects.token()
    if (token) request.setRequestHeader('Authorization', token)
    request.setRequestHeader('Accept-Language', effects.language())
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) options.onProgress?.(event.loaded / event.total)
    }
    request.onload = () => resolve({ status: request.status, envelope: parse(request.responseText) })
    request.onerror = () => resolve({ status: 0, envelope: null })
    request.onabort = () => reject(new DOMException('The upload was stopped', 'AbortError'))
    options.signal?.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}

function parse(text: string): Envelope | null {
  try {
    return JSON.parse(text) as Envelope
  } catch {
    return null
  }
}
