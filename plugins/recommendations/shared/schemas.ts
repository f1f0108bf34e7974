export { page } from '../../experiences/shared/schemas.ts'
