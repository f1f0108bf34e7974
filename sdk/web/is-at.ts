/** Whether a page is that of a full address, or below it unless `end`. */
export function isAt(pathname: string, address: string, end: boolean): boolean {
  const here = pathname.toLowerCase()
  const [there = ''] = address.toLowerCase().split(/[?#]/)
  return here === there || (!end && here.startsWith(there.endsWith('/') ? there : `${there}/`))
}
