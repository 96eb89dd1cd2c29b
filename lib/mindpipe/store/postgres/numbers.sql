-- A sequence for each column whose numbers are given to rows of all agents, but for the log's.
DO $$
DECLARE
    one record;
BEGIN
    FOR one IN SELECT relname, attname FROM pg_attrdef
        JOIN pg_class ON pg_class.oid = adrelid
        JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
        WHERE relnamespace = current_schema()::regnamespace
            AND pg_get_expr(adbin, adrelid) LIKE '%next_number(%'
            AND relname NOT IN ('change', 'operation', 'restoration')
    LOOP
        EXECUTE format('CREATE SEQUENCE %I OWNED BY %I.%I',
            one.relname || '_' || one.attname, one.relname, one.attname);
    END LOOP;
END $$;
