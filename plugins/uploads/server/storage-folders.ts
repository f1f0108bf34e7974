import { uploadSources } from '../shared/api.ts'

/** Where attachments lie, below the folder of uploads; everything else lies in a folder called like its source. */
export const ATTACHMENTS = 'files/post'

/** Where files of this plugin lie. */
export const storageFolders = [...uploadSources.filter((source) => source !== 'post_attachment'), ATTACHMENTS]
