/** What web code imports besides code: class names of a CSS module, a stylesheet for its effect, the address of a picture or font. */
declare module '*.module.css' {
  const classes: Record<string, string>
  export default classes
}
declare module '*.css'
declare module '*.svg' {
  const address: string
  export default address
}
declare module '*.png' {
  const address: string
  export default address
}
declare module '*.webp' {
  const address: string
  export default address
}
declare module '*.woff2' {
  const address: string
  export default address
}
