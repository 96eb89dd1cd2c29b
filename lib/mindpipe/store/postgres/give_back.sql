-- As before, and a question that is ended in its midst leaves no lock behind.
CREATE OR REPLACE FUNCTION give_back(of_table text, of_column text, used bigint, last bigint)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    sequence regclass := pg_get_serial_sequence(quote_ident(of_table), of_column);
    given boolean := false;
BEGIN
    IF current_setting('mindpipe.whole', true) = 'on' THEN
        RETURN false;
    END IF;
    PERFORM pg_advisory_lock(sequence::oid::bigint);
    BEGIN
        IF pg_sequence_last_value(sequence) = last THEN
            PERFORM setval(sequence, greatest(used, 1), used > 0);
            given := true;
        END IF;
    EXCEPTION WHEN query_canceled OR OTHERS THEN
        PERFORM pg_advisory_unlock(sequence::oid::bigint);
        RAISE;
    END;
    PERFORM pg_advisory_unlock(sequence::oid::bigint);
    RETURN given;
END $$;
