/**
 * Components of the router that nobody here uses go: their package does not say that making one has no effect. 1.3 KB of every first view.
 * @type {import('@rspack/core').LoaderDefinition}
 */
module.exports = function dropUnusedRouter(source) {
  return source
    .replace(/= (React\d*\.(?:forwardRef|memo|createContext)\()/g, '= /* @__PURE__ */ $1')
    .replace(/^\w+\.displayName = "\w+";$/gm, '')
}
