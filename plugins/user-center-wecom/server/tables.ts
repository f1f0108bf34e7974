export interface Tables {
  user_center_wecom__member: {
    person_id: number
    /** 1: the company has disabled the member, or does not have them any more. */
    is_gone: number
    /** 1: suspended here for that, and by nobody else. */
    is_suspended: number
    /** Numbers of departments, JSON. */
    departments: string
    read_at: number
  }
  /** At most one row, of number 1. */
  user_center_wecom__brake: { id: number; gone: number; asked: number }
  user_center_wecom__department: { id: number; name: string; read_at: number }
}
