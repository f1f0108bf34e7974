import { writeFileSync } from 'node:fs'
import { generatedFiles } from './docs-files.ts'

/** `npm run docs`: writes what is generated from the code. A test fails while the committed files are others. */
for (const [file, content] of Object.entries(await generatedFiles())) writeFileSync(file, content)
