-- Numbers of rows of all agents: unique, given to each who asks without waiting for who asked
-- before. Whoever holds the whole store gets the number behind the last one, as a file gives it; as
-- it ends, the sequences are brought to what it leaves. Where its commit fails then, they may be
-- behind: a number that has a row is passed over.
CREATE FUNCTION last_number(of_table text, of_column text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    last bigint;
BEGIN
    EXECUTE format('SELECT max(%I) FROM %I', of_column, of_table) INTO last;
    RETURN coalesce(last, 0);
END $$;
CREATE FUNCTION free_numbers(of_table text, of_column text, sequence regclass, wanted bigint)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    first bigint;
    taken boolean;
BEGIN
    LOOP
        first := nextval(sequence);
        EXECUTE format('SELECT EXISTS(SELECT FROM %I WHERE %I BETWEEN $1 AND $2)',
            of_table, of_column) INTO taken USING first, first + wanted - 1;
        EXIT WHEN NOT taken;
    END LOOP;
    IF wanted > 1 THEN
        PERFORM setval(sequence, first + wanted - 1);
    END IF;
    RETURN first;
END $$;
CREATE OR REPLACE FUNCTION next_number(of_table text, of_column text) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('mindpipe.whole', true) = 'on' THEN
        RETURN last_number(of_table, of_column) + 1;
    END IF;
    RETURN free_numbers(of_table, of_column,
        pg_get_serial_sequence(quote_ident(of_table), of_column), 1);
END $$;
-- The first of so many numbers that follow each other. Between taking one and moving on nobody may
-- take another, nor wait for a transaction to end: so the lock is the session's, for this moment.
-- Who takes only one at a time of the same table does not, which is why none does both.
CREATE FUNCTION take_numbers(of_table text, of_column text, wanted bigint, taken bigint)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    sequence regclass;
    first bigint;
BEGIN
    IF current_setting('mindpipe.whole', true) = 'on' THEN
        RETURN greatest(last_number(of_table, of_column), taken) + 1;
    END IF;
    sequence := pg_get_serial_sequence(quote_ident(of_table), of_column);
    PERFORM pg_advisory_lock(sequence::oid::bigint);
    BEGIN
        first := free_numbers(of_table, of_column, sequence, wanted);
    EXCEPTION WHEN query_canceled OR OTHERS THEN
        PERFORM pg_advisory_unlock(sequence::oid::bigint);
        RAISE;
    END;
    PERFORM pg_advisory_unlock(sequence::oid::bigint);
    RETURN first;
END $$;
-- Numbers behind `used` that turned out not to be needed, where nobody took one since.
CREATE FUNCTION give_back(of_table text, of_column text, used bigint, last bigint)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    sequence regclass := pg_get_serial_sequence(quote_ident(of_table), of_column);
    given boolean := false;
BEGIN
    IF current_setting('mindpipe.whole', true) = 'on' THEN
        RETURN false;
    END IF;
    PERFORM pg_advisory_lock(sequence::oid::bigint);
    IF pg_sequence_last_value(sequence) = last THEN
        PERFORM setval(sequence, greatest(used, 1), used > 0);
        given := true;
    END IF;
    PERFORM pg_advisory_unlock(sequence::oid::bigint);
    RETURN given;
END $$;
-- Brings each sequence to the last number that is there.
CREATE FUNCTION align_numbers() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    one record;
    last bigint;
BEGIN
    FOR one IN SELECT depended.objid::regclass AS sequence, relname, attname
        FROM pg_depend AS depended
        JOIN pg_class ON pg_class.oid = refobjid
        JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
        WHERE classid = 'pg_class'::regclass AND refclassid = 'pg_class'::regclass
            AND deptype = 'a' AND relnamespace = current_schema()::regnamespace
            AND EXISTS(SELECT FROM pg_class AS own WHERE own.oid = objid AND own.relkind = 'S')
    LOOP
        last := last_number(one.relname, one.attname);
        IF last <> coalesce(pg_sequence_last_value(one.sequence), 0) THEN
            PERFORM setval(one.sequence, greatest(last, 1), last > 0);
        END IF;
    END LOOP;
    RETURN true;
END $$;
-- The number of the last change, once nobody else writes one before this transaction ends: so the
-- order of the log is the order of commits, and who read as far as a number has read all to there.
CREATE FUNCTION last_change() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock('change'::regclass::oid::bigint);
    RETURN (SELECT coalesce(max(number), 0) FROM change);
END $$;
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
-- Who worked in the store before there were sequences works on.
DO $$
BEGIN
    IF EXISTS(SELECT FROM pg_roles WHERE rolname = current_schema() || '_worker') THEN
        EXECUTE format('GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA %I TO %I',
            current_schema(), current_schema() || '_worker');
    END IF;
END $$;
