import { call, defineErrors, service } from '@stoa/sdk'
import type * as schemas from './schemas.ts'

/** What a file is for; the first part of its path. */
export const uploadSources = ['post', 'post_attachment', 'avatar', 'branding'] as const
export type UploadSource = (typeof uploadSources)[number]

export interface UploadedFile {
  source: UploadSource
  /** Who uploaded it. */
  personId: number
}

/**
 * What this plugin knows of people. The shape is that of `accounts.personalData`, which this plugin cannot name: whoever keeps people uses its files
 * and asks here.
 */
export interface PersonalFiles {
  export(
    personId: number,
    archive: {
      records(name: string, records: readonly object[]): Promise<void>
      file(name: string, data: Uint8Array): Promise<void>
    },
  ): Promise<void>
  /** Pictures of the person go; what stands in texts is the stand-in's from then on, and without its name. */
  erase(erasure: { personId: number; standInId: number }): Promise<void>
}

/** What was uploaded, by the address that the upload was answered with. */
export interface UploadedFiles {
  /** Undefined for anything that was not uploaded here. */
  find(address: string): Promise<UploadedFile | undefined>
  /** Deletes a file that nothing shows any more, when the caller's transaction commits. Nothing happens for an unknown one. */
  remove(address: string): Promise<void>
  /**
   * Says what a text shows, in the caller's transaction: when it was written, changed, deleted or brought back. A file is public while no text of
   * its uploader is known to show it, or one of those that do is shown.
   * @param holder the text; `authorId`: whose it is
   * @param text with the addresses in it; `shown`: false for one that was deleted
   */
  hold(holder: { kind: string; n: number; authorId: number }, text: string, shown: boolean): Promise<void>
  readonly personalData: PersonalFiles
}
/** Whether `hold` has anything to do for a text that was never held. */
export const hasUploads = (text: string): boolean => text.includes('/uploads/')
export const uploadedFiles = service<UploadedFiles>('uploads.files')

export const uploadErrors = defineErrors('error.upload', {
  source_unsupported: { status: 400, message: 'Files are for one of post, post_attachment, avatar, branding; found {source}' },
  unsupported_file_format: { status: 400, message: 'The content of {name} is not what its name says' },
  file_too_large: { status: 400, message: '{name} has more than {limit} MB' },
  picture_too_large: { status: 400, message: '{name} has more than {limit} million pixels' },
})

/** Multipart: `source` and a `file`. */
export const uploadCalls = { upload: call.post<typeof schemas.upload>('file') }
