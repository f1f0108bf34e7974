import { createContext } from 'react'

/** Plugin whose contribution is being drawn: what its components do is charged to it. */
export const OwnerContext = createContext('kernel')
