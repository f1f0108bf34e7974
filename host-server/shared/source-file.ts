/**
 * Where a file of `host-server/` stands. Also for code that was built: this file and `build/host` both lie two folders below the checkout.
 * @param path below `host-server/`
 */
export const sourceFile = (path: string): URL => new URL(`../../host-server/${path}`, import.meta.url)
