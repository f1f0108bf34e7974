import type { Envelope, Transport } from './call.ts'

/** Carries a call whose body is fields beside a file, with progress, which `fetch` cannot tell. No time-out: a large picture on a slow line takes its time. */
export function uploadTransport(file: File, onProgress: ((share: number) => void) | undefined): Transport {
  return ({ url, method, body, headers = {}, token, language, signal }) => {
    const form = new FormData()
    for (const [name, value] of Object.entries((body ?? {}) as Record<string, unknown>)) form.append(name, String(value))
    form.append('file', file)
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, url)
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      if (token) request.setRequestHeader('Authorization', token)
      request.setRequestHeader('Accept-Language', language)
      request.upload.onprogress = (event) => {
        if (event.lengthComputable) onProgress?.(event.loaded / event.total)
      }
      request.onload = () => resolve({ status: request.status, envelope: parse(request.responseText) })
      request.onerror = () => reject(new TypeError('The connection was lost'))
      request.onabort = () => reject(new DOMException('The upload was stopped', 'AbortError'))
      signal?.addEventListener('abort', () => request.abort())
      request.send(form)
    })
  }
}

function parse(text: string): Envelope | null {
  try {
    return JSON.parse(text) as Envelope
  } catch {
    return null
  }
}
