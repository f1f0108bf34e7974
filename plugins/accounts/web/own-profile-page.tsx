import { Skeleton } from '@stoa/sdk/ui/skeleton'
import { useLogin, useNavigate } from '@stoa/sdk/web'
import { useEffect } from 'react'

/** The menu's address for one's own profile: goes to the page under the username. */
export default function OwnProfilePage() {
  const { person } = useLogin()
  const navigate = useNavigate()
  useEffect(() => {
    if (person) navigate(`/users/${person.username}`, { replace: true })
  }, [person, navigate])
  // As tall as what follows, so that nothing below it moves twice.
  return <Skeleton lines={8} />
}
