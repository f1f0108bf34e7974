/** Whether an `If-None-Match` names an ETag: who sends it has these bytes. */
export const hasEtag = (condition: string | undefined, etag: string): boolean =>
  condition?.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim())) ?? false
