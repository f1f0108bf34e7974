import { isCodedError } from '@stoa/sdk'
import type { Images } from '@stoa/sdk/server'
import { uploadErrors } from '../shared/api.ts'

/** Format names of the decoder by extension, where they differ. */
const formats: Record<string, string> = { jpg: 'jpeg', tif: 'tiff', heic: 'heif', avif: 'heif' }
const ICON_START = Buffer.from([0, 0, 1, 0])

/**
 * A picture that is what its name says, without place, camera and other metadata.
 * @throws `error.upload.unsupported_file_format`, `error.upload.picture_too_large`
 */
export async function cleanPicture(
  images: Images,
  file: { name: string; extension: string; data: Buffer },
  megapixels: number,
): Promise<Buffer> {
  const { name, extension, data } = file
  if (extension === 'ico') {
    if (!data.subarray(0, 4).equals(ICON_START)) throw uploadErrors.unsupported_file_format({ name })
    return data
  }
  const refuse = (error: unknown): never => {
    throw isCodedError(error) ? error : uploadErrors.unsupported_file_format({ name })
  }
  const facts = await images.inspect(data).catch(refuse)
  if (facts.format !== (formats[extension] ?? extension)) throw uploadErrors.unsupported_file_format({ name })
  if (facts.width * facts.height * facts.frames > megapixels * 1_000_000) throw uploadErrors.picture_too_large({ name, limit: megapixels })
  return images.clean(data).catch(refuse)
}
