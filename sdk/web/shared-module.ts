/** `@stoa/sdk/web` as plugins find it at run time: packages of before name what is the kernel's now. */
export * from './index.ts'
export * from './kernel-side.ts'
