"""Roles of a store on a server, each with the least rights: who migrates, works and reads.

Their names follow from the schema's. A login gets its rights by being a member of one.
"""

from typing import Literal

from mindpipe.core.errors import UsageError
from mindpipe.store.address import Address
from mindpipe.store.postgres.locks import lock_number
from mindpipe.store.postgres.messages import Connection

Role = Literal["owner", "worker", "reader"]
_ROLES: tuple[Role, ...] = ("owner", "worker", "reader")
_LONGEST = 63
# A server has its roles for all databases: one may be there, and have no rights in this one.
_MAY_TAKE = (
    "SELECT (mine.rolsuper OR pg_has_role(mine.oid, wanted.oid, 'MEMBER')) "
    "AND has_schema_privilege(wanted.oid, %(schema)s, 'USAGE') "
    "FROM pg_roles AS mine, pg_roles AS wanted "
    "WHERE mine.rolname = current_user AND wanted.rolname = %(role)s"
)
_SCRIPT = """\
-- Roles for the store in schema {schema}. Once it is made: mind store roles | psql DATABASE
-- Run it again after somebody else made tables there; it changes nothing that is so already.
BEGIN;
DO $$
DECLARE
    wanted text;
    made record;
BEGIN
    -- Nobody works in the store meanwhile: who holds a table could wait for us, and we for him.
    PERFORM pg_advisory_xact_lock({lock});
    FOREACH wanted IN ARRAY ARRAY['{owner}', '{worker}', '{reader}'] LOOP
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = wanted) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
        END IF;
    END LOOP;
    FOR made IN SELECT relname FROM pg_class
        WHERE relnamespace = '{schema}'::regnamespace AND relkind = 'r'
            AND relowner <> '{owner}'::regrole
    LOOP
        EXECUTE format('ALTER TABLE {schema}.%I OWNER TO {owner}', made.relname);
    END LOOP;
    FOR made IN SELECT oid::regprocedure AS signature FROM pg_proc
        WHERE pronamespace = '{schema}'::regnamespace
    LOOP
        EXECUTE format('ALTER ROUTINE %s OWNER TO {owner}', made.signature);
    END LOOP;
END $$;
ALTER SCHEMA {schema} OWNER TO {owner};
REVOKE ALL ON SCHEMA {schema} FROM PUBLIC;
GRANT USAGE ON SCHEMA {schema} TO {worker}, {reader};
-- A worker lives in the tables; what says which store this is, and its schema, it only reads.
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {worker};
REVOKE INSERT, UPDATE, DELETE
    ON {schema}.migration, {schema}.store, {schema}.restoration, {schema}.store_move FROM {worker};
GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {reader};
GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA {schema} TO {worker};
-- A backup has the sequences, too.
GRANT SELECT ON ALL SEQUENCES IN SCHEMA {schema} TO {reader};
-- And so in tables that a later migration makes.
ALTER DEFAULT PRIVILEGES FOR ROLE {owner} IN SCHEMA {schema}
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {worker};
ALTER DEFAULT PRIVILEGES FOR ROLE {owner} IN SCHEMA {schema} GRANT SELECT ON TABLES TO {reader};
ALTER DEFAULT PRIVILEGES FOR ROLE {owner} IN SCHEMA {schema}
    GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO {worker};
ALTER DEFAULT PRIVILEGES FOR ROLE {owner} IN SCHEMA {schema} GRANT SELECT ON SEQUENCES TO {reader};
-- mind store query reads as the reader, whoever asks.
GRANT {reader} TO {worker}, {owner};
COMMIT;
-- Then give each login one of them, and its password with \\password NAME:
-- CREATE ROLE anna LOGIN; GRANT {worker} TO anna;
"""


def script(address: Address) -> str:
    """Return the SQL that makes the roles of a store, for psql.

    Raises:
        UsageError: the schema's name is too long to name roles after.
    """
    names = {role: role_of(address, role) for role in _ROLES}
    long = next((name for name in names.values() if len(name) > _LONGEST), None)
    if long is not None:
        raise UsageError(f"the server would cut the role's name {long}; name a shorter schema.")
    found = _SCRIPT.replace("{schema}", address.schema)
    found = found.replace("{lock}", str(lock_number(address.schema)))
    for role, name in names.items():
        found = found.replace(f"{{{role}}}", name)
    return found


def role_of(address: Address, role: Role) -> str:
    """Return the name of a role."""
    return f"{address.schema}_{role}"


def take(connection: Connection, address: Address, role: Role) -> bool:
    """Take a role until the open transaction ends; tell whether it is there and may be taken."""
    name = role_of(address, role)
    asked = {"role": name, "schema": address.schema}
    if connection.execute(_MAY_TAKE, asked).fetchone() != (1,):
        return False
    connection.execute(f"SET LOCAL ROLE {name}".encode())
    return True
