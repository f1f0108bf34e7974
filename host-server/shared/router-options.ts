/** Of every router over addresses, so that what one of them finds the next one finds too. */
export const ROUTER_OPTIONS = { ignoreTrailingSlash: true, maxParamLength: 500 }
