# bash completion for mind; made by `mind docs write`.
_mind() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    local verbs='' offered='--help' choices='' command=${COMP_WORDS[1]}
    COMPREPLY=()
    if (( COMP_CWORD == 1 )); then
        offered='init agent inbox space goal note concern plan memory reflection lesson entity observation consolidate knowledge recall observe think run reflect simulate complete salience feel review feedback context history compact decide act decision task ticket status metrics alert models store bench config schema completion docs --help --version'
        COMPREPLY=($(compgen -W "$offered" -- "$current"))
        return
    fi
    case $command in
        agent) verbs='new list show set fork clearances' ;;
        inbox) verbs='push list claim ack release extend dead redrive trust watch' ;;
        space) verbs='new set list join leave members post read seen' ;;
        goal) verbs='add list set remove trust' ;;
        note) verbs='set get list delete trust' ;;
        concern) verbs='add list set focus remove attend' ;;
        plan) verbs='add list due remove trust' ;;
        memory) verbs='add list show search archive revoke extract' ;;
        reflection) verbs='add list show make' ;;
        lesson) verbs='add list show outcome' ;;
        entity) verbs='add list show relate' ;;
        observation) verbs='list show history confirm correct pin revalidate decisions approve deny' ;;
        knowledge) verbs='verify audit marks' ;;
        recall) verbs='reindex embed' ;;
        observe) verbs='files git processes program http plans check' ;;
        run) verbs='mode timing list show cancel' ;;
        reflect) verbs='list patterns undo day' ;;
        simulate) verbs='new tick run validate plot' ;;
        context) verbs='show budget' ;;
        history) verbs='show cycles search export import check verify trust' ;;
        compact) verbs='plan diff apply undo list' ;;
        decision) verbs='list show approve reject undo' ;;
        task) verbs='add list show report cancel recover work' ;;
        ticket) verbs='list show approve deny settle' ;;
        alert) verbs='check list' ;;
        models) verbs='list count cost' ;;
        store) verbs='check migrate backup restore recover query export' ;;
        bench) verbs='compaction recall knowledge' ;;
        config) verbs='show check template' ;;
        docs) verbs='write check' ;;
    esac
    if [[ -n $verbs && ${COMP_WORDS[2]} != -* ]]; then
        if (( COMP_CWORD == 2 )); then
            COMPREPLY=($(compgen -W "$verbs --help" -- "$current"))
            return
        fi
        command="$command ${COMP_WORDS[2]}"
    fi
    case $command in
        'init')
            offered='--agent --page-checksums --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'agent new')
            offered='--name --description --instructions --model --fallback --max-tokens --min-recent-cycles --compaction --min-saving --memory-threshold --knowledge-tokens --reply-tokens --thinking-tokens --temperature --refresh --style --batch --max-turns --max-calls --max-seconds --cycle-micros --day-micros --trust --allow-tainted --taint-scope --i-accept-trifecta --tool --mcp --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --model) choices='anthropic/ openai/ openai-responses/ replay: program:' ;;
                --compaction) choices='self-summary semantic layered masked anchored model' ;;
                --refresh) choices='append system' ;;
                --style) choices='continuous timeline' ;;
                --taint-scope) choices='request cycle' ;;
            esac
            ;;
        'agent list')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'agent show')
            offered='--file --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'agent set')
            offered='--name --description --instructions --model --fallback --max-tokens --min-recent-cycles --compaction --min-saving --memory-threshold --knowledge-tokens --reply-tokens --thinking-tokens --temperature --refresh --style --batch --max-turns --max-calls --max-seconds --cycle-micros --day-micros --trust --allow-tainted --taint-scope --i-accept-trifecta --tool --mcp --without-tool --pause --unset --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --model) choices='anthropic/ openai/ openai-responses/ replay: program:' ;;
                --compaction) choices='self-summary semantic layered masked anchored model' ;;
                --refresh) choices='append system' ;;
                --style) choices='continuous timeline' ;;
                --taint-scope) choices='request cycle' ;;
                --unset) choices='model fallback compaction min-saving temperature cycle-micros day-micros trust allow-tainted taint-scope i-accept-trifecta memory-threshold knowledge-tokens style paused' ;;
            esac
            ;;
        'agent fork')
            offered='--name --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'agent clearances')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'inbox push')
            offered='--agent --text --type --source --key --priority --level --due --space --sender --max-open --strict --stream --on-error --rejects --output --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --type) choices='space_message plan service tool_result decision observation interrupt' ;;
                --on-error) choices='stop skip' ;;
            esac
            ;;
        'inbox list')
            offered='--agent --state --limit --offset --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --state) choices='open ready leased done dead' ;;
            esac
            ;;
        'inbox claim')
            offered='--agent --limit --lease --owner --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'inbox ack')
            offered='--epoch --outcome --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --outcome) choices='handled skipped' ;;
            esac
            ;;
        'inbox release')
            offered='--epoch --reason --clean --wait --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'inbox extend')
            offered='--epoch --lease --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'inbox dead')
            offered='--reason --epoch --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'inbox redrive')
            offered='--agent --all --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'inbox trust')
            offered='--by --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'inbox watch')
            offered='--agent --timeout --limit --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'space new')
            offered='--name --respond-limit --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'space set')
            offered='--name --respond-limit --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'space list')
            offered='--member --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'space join')
            offered='--kind --name --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --kind) choices='human agent service' ;;
            esac
            ;;
        'space leave')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'space members')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'space post')
            offered='--as --reply-to --at --key --lines --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'space read')
            offered='--limit --offset --after-seq --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'space seen')
            offered='--post --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'goal add')
            offered='--agent --standing --priority --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --standing) choices='active long-term done dropped' ;;
            esac
            ;;
        'goal list')
            offered='--agent --standing --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --standing) choices='active long-term done dropped' ;;
            esac
            ;;
        'goal set')
            offered='--agent --standing --priority --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --standing) choices='active long-term done dropped' ;;
            esac
            ;;
        'goal remove')
            offered='--agent --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'goal trust')
            offered='--agent --by --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'note set')
            offered='--agent --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'note get')
            offered='--agent --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'note list')
            offered='--agent --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'note delete')
            offered='--agent --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'note trust')
            offered='--agent --by --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'concern add')
            offered='--agent --about --share --boost --every --idle --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'concern list')
            offered='--agent --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'concern set')
            offered='--agent --about --share --boost --every --idle --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'concern focus')
            offered='--agent --none --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'concern remove')
            offered='--agent --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'concern attend')
            offered='--agent --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'plan add')
            offered='--agent --cron --at --after --zone --catch-up --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --catch-up) choices='once all none' ;;
            esac
            ;;
        'plan list')
            offered='--agent --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'plan due')
            offered='--agent --push --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'plan remove')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'plan trust')
            offered='--agent --by --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'memory add')
            offered='--agent --text --at --speaker --key --source --on-error --rejects --output --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --on-error) choices='stop skip' ;;
            esac
            ;;
        'memory list')
            offered='--agent --kind --speaker --subject --since --until --as-of --archived --limit --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'memory show')
            offered='--agent --as-of --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'memory search')
            offered='--agent --kind --speaker --subject --since --until --as-of --archived --limit --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'memory archive')
            offered='--agent --below --dry-run --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'memory revoke')
            offered='--source --agent --dry-run --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'memory extract')
            offered='--agent --since-cycle --least --model --record --on-error --rejects --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --model) choices='anthropic/ openai/ openai-responses/ replay: program:' ;;
                --on-error) choices='stop skip' ;;
            esac
            ;;
        'reflection add')
            offered='--agent --source --on-error --rejects --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --on-error) choices='stop skip' ;;
            esac
            ;;
        'reflection list')
            offered='--agent --as-of --archived --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'reflection show')
            offered='--agent --as-of --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'reflection make')
            offered='--agent --since --until --limit --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'lesson add')
            offered='--agent --text --when --key --source --on-error --rejects --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --on-error) choices='stop skip' ;;
            esac
            ;;
        'lesson list')
            offered='--agent --as-of --archived --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'lesson show')
            offered='--agent --as-of --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'lesson outcome')
            offered='--agent --went --note --at --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --went) choices='well badly' ;;
            esac
            ;;
        'entity add')
            offered='--agent --source --on-error --rejects --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --on-error) choices='stop skip' ;;
            esac
            ;;
        'entity list')
            offered='--agent --as-of --archived --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'entity show')
            offered='--agent --as-of --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'entity relate')
            offered='--agent --since --until --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'observation list')
            offered='--agent --kind --subject --status --as-of --limit --known --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --status) choices='active stale superseded invalidated' ;;
            esac
            ;;
        'observation show')
            offered='--agent --as-of --explain --known --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'observation history')
            offered='--agent --as-of --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'observation confirm')
            offered='--agent --by --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'observation correct')
            offered='--agent --false --summary --at --by --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'observation pin')
            offered='--agent --off --by --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'observation revalidate')
            offered='--agent --every --limit --dry-run --known --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'observation decisions')
            offered='--agent --queued --under --as-of --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'observation approve')
            offered='--agent --by --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'observation deny')
            offered='--agent --by --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'consolidate')
            offered='--agent --known --limit --review --verdicts --lessons --reflections --entities --marks --decisions --model --record --output --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --model) choices='anthropic/ openai/ openai-responses/ replay: program:' ;;
            esac
            ;;
        'knowledge verify')
            offered='--agent --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'knowledge audit')
            offered='--agent --as-of --known --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'knowledge marks')
            offered='--agent --as-of --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'recall')
            offered='--agent -k --queries --items --index --lessons --reflections --entities --known --marked --kind --speaker --subject --since --until --trusted --as-of --history --explain --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'recall reindex')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'recall embed')
            offered='--agent --model --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --model) choices='openai/ local/' ;;
            esac
            ;;
        'observe')
            offered='--agent --config --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'observe files')
            offered='--config --agent --once --since-state --deliver --dry-run --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'observe git')
            offered='--config --agent --once --since-state --deliver --dry-run --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'observe processes')
            offered='--config --agent --since-state --deliver --dry-run --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'observe program')
            offered='--config --agent --deliver --once --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'observe http')
            offered='--config --agent --deliver --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'observe plans')
            offered='--agent --deliver --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'observe check')
            offered='--config --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'think')
            offered='--agent --model --record --agent-file --history --events --known --dry-run --max-turns --cycle-tokens --max-seconds --max-micros --quiet --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --model) choices='anthropic/ openai/ openai-responses/ replay: program:' ;;
            esac
            ;;
        'run')
            offered='--agent --model --record --once --cycles --until --together --observe --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --model) choices='anthropic/ openai/ openai-responses/ replay: program:' ;;
            esac
            ;;
        'run mode')
            offered='--agent --reason --log --limit --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                *) choices='normal deep_focus exploration overload sleep recovery' ;;
            esac
            ;;
        'run timing')
            offered='--agent --mode --rate --queue --mean-queue --took --mean-seconds --urgent --explain --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --mode) choices='normal deep_focus exploration overload sleep recovery' ;;
            esac
            ;;
        'run list')
            offered='--agent --state --every --limit --offset --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --state) choices='running waiting_reply done failed cancelled' ;;
            esac
            ;;
        'run show')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'run cancel')
            offered='--reason --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'reflect')
            offered='--agent --iterations --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'reflect list')
            offered='--agent --limit --measured --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'reflect patterns')
            offered='--agent --limit --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'reflect undo')
            offered='--by --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'reflect day')
            offered='--agent --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'simulate new')
            offered='--name --id --trait --chronotype --count --at --set --const --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --set) choices='awareness= model= anthropic_model= max_tokens= temperature= min_call_interval_us= spontaneous_interval_us= review= review_interval_us= review_buffer= review_model= max_prompt_tokens= max_context_memories= max_recent_thoughts= hold_s= parser= absorption_gain= drift= prompt_coping= identity_by_model= max_calls=' ;;
                --const) choices='tau_hpa_1= tau_hpa_2= tau_hpa_3= tau_car_1= tau_car_2= tau_car_3= tau_car_4= tau_glu_1= tau_glu_2= tau_glu_3= tau_adr= tau_nor= tau_vag= tau_endo= tau_oxy= tau_dopa= tau_ser= tau_act= tau_fphys= tau_fment= tau_depl= tau_exo= tau_caf= tau_alc= tau_cort_up= tau_cort_dn= tau_adr_up= tau_ser_up= tau_ser_dn= tau_rum= tau_hpa24= tau_allo= tau_sleepf= tau_fever= tau_env= tau_skin= tau_pain_s= tau_pain_1= tau_pain_2= tau_pain_3= tau_v1= tau_v2= tau_v3= tau_v4= tau_v5= tau_aev= tau_S_awake= tau_S_asleep= k_L_awake_h= k_L_asleep_h= ramp_L_h= break_L= low_L= high_L= k_W_h= inertia_W= tau_hun= full_hun= tau_thirst= tau_bladder_awake= tau_bladder_asleep= tau_gly_fed= tau_gly_fasting= tau_iso_contact= tau_iso_alone= tau_bore= adr_symp= adr_most= adr_exercise= nor_symp= nor_exercise= nor_cold= vag_noise= vag_pain= endo_u= endo_pain= endo_exercise= oxy_touch= ser_light= ser_contact= ser_u= bright_lux= env_shift= env_comfort= env_most= skin_shift= v1_u= v1_contact= gain_hpa= gain_glu= thought_cortisol= thought_relief= thought_adrenaline= thought_serotonin= rum_rate= vagal_rum= core_temp= core_temp_wave= core_temp_peak_h= core_temp_sleep= heart_rate= heart_wave= heart_peak_h= heart_sleep= heart_vagal= heart_adrenaline= heart_heat= heart_exercise= hunger_wave= hunger_peak_h= alert_wave= alert_peak_h= alert_half_mean= alert_half_wave= alert_half_peak_h= alert_caffeine= kss_top= kss_slope= adrenaline_base= noradrenaline_base= glucose_base= glucose_fasting= analgesia= analgesia_pmol_l= endorphin_base= serotonin_base= oxytocin_base= dopamine_base= sleep_at= wake_at= resleep_at= threshold_wave= threshold_phase_h= sleep_unstoppable= forced_awake_s= blocked_vagal= blocked_pain= blocked_aev= blocked_noise= waking_pain= waking_u= waking_noise= car_gain= car_delay_s= car_least_sleep_s= toilet_at= drink_at= drink_ml= meal_gap_s= breakfast_awake_s= grave_base= grave_social= grave_helpless= grave_both= symp_least= symp_grave= support_relief= slow_ser_pressure= slow_ser_alone= slow_pressure_at= slow_alone_at= slow_allo_hpa= slow_allo_pressure= slow_allo_pain= phase_boredom= phase_loneliness= phase_despair=' ;;
            esac
            ;;
        'simulate tick')
            offered='--dt --to --events --think --read --late --jobs --set --const --model --record --person --on-error --rejects --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --read) choices='all none' ;;
                --late) choices='refuse now' ;;
                --set) choices='awareness= model= anthropic_model= max_tokens= temperature= min_call_interval_us= spontaneous_interval_us= review= review_interval_us= review_buffer= review_model= max_prompt_tokens= max_context_memories= max_recent_thoughts= hold_s= parser= absorption_gain= drift= prompt_coping= identity_by_model= max_calls=' ;;
                --const) choices='tau_hpa_1= tau_hpa_2= tau_hpa_3= tau_car_1= tau_car_2= tau_car_3= tau_car_4= tau_glu_1= tau_glu_2= tau_glu_3= tau_adr= tau_nor= tau_vag= tau_endo= tau_oxy= tau_dopa= tau_ser= tau_act= tau_fphys= tau_fment= tau_depl= tau_exo= tau_caf= tau_alc= tau_cort_up= tau_cort_dn= tau_adr_up= tau_ser_up= tau_ser_dn= tau_rum= tau_hpa24= tau_allo= tau_sleepf= tau_fever= tau_env= tau_skin= tau_pain_s= tau_pain_1= tau_pain_2= tau_pain_3= tau_v1= tau_v2= tau_v3= tau_v4= tau_v5= tau_aev= tau_S_awake= tau_S_asleep= k_L_awake_h= k_L_asleep_h= ramp_L_h= break_L= low_L= high_L= k_W_h= inertia_W= tau_hun= full_hun= tau_thirst= tau_bladder_awake= tau_bladder_asleep= tau_gly_fed= tau_gly_fasting= tau_iso_contact= tau_iso_alone= tau_bore= adr_symp= adr_most= adr_exercise= nor_symp= nor_exercise= nor_cold= vag_noise= vag_pain= endo_u= endo_pain= endo_exercise= oxy_touch= ser_light= ser_contact= ser_u= bright_lux= env_shift= env_comfort= env_most= skin_shift= v1_u= v1_contact= gain_hpa= gain_glu= thought_cortisol= thought_relief= thought_adrenaline= thought_serotonin= rum_rate= vagal_rum= core_temp= core_temp_wave= core_temp_peak_h= core_temp_sleep= heart_rate= heart_wave= heart_peak_h= heart_sleep= heart_vagal= heart_adrenaline= heart_heat= heart_exercise= hunger_wave= hunger_peak_h= alert_wave= alert_peak_h= alert_half_mean= alert_half_wave= alert_half_peak_h= alert_caffeine= kss_top= kss_slope= adrenaline_base= noradrenaline_base= glucose_base= glucose_fasting= analgesia= analgesia_pmol_l= endorphin_base= serotonin_base= oxytocin_base= dopamine_base= sleep_at= wake_at= resleep_at= threshold_wave= threshold_phase_h= sleep_unstoppable= forced_awake_s= blocked_vagal= blocked_pain= blocked_aev= blocked_noise= waking_pain= waking_u= waking_noise= car_gain= car_delay_s= car_least_sleep_s= toilet_at= drink_at= drink_ml= meal_gap_s= breakfast_awake_s= grave_base= grave_social= grave_helpless= grave_both= symp_least= symp_grave= support_relief= slow_ser_pressure= slow_ser_alone= slow_pressure_at= slow_alone_at= slow_allo_hpa= slow_allo_pressure= slow_allo_pain= phase_boredom= phase_loneliness= phase_despair=' ;;
                --model) choices='composed none anthropic/ openai/ openai-responses/ replay: program:' ;;
                --on-error) choices='stop skip' ;;
            esac
            ;;
        'simulate run')
            offered='--until --every --events --speed --parallel --read --late --jobs --set --const --model --record --person --review --no-review --keep-states --on-error --rejects --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --read) choices='all none' ;;
                --late) choices='refuse now' ;;
                --set) choices='awareness= model= anthropic_model= max_tokens= temperature= min_call_interval_us= spontaneous_interval_us= review= review_interval_us= review_buffer= review_model= max_prompt_tokens= max_context_memories= max_recent_thoughts= hold_s= parser= absorption_gain= drift= prompt_coping= identity_by_model= max_calls=' ;;
                --const) choices='tau_hpa_1= tau_hpa_2= tau_hpa_3= tau_car_1= tau_car_2= tau_car_3= tau_car_4= tau_glu_1= tau_glu_2= tau_glu_3= tau_adr= tau_nor= tau_vag= tau_endo= tau_oxy= tau_dopa= tau_ser= tau_act= tau_fphys= tau_fment= tau_depl= tau_exo= tau_caf= tau_alc= tau_cort_up= tau_cort_dn= tau_adr_up= tau_ser_up= tau_ser_dn= tau_rum= tau_hpa24= tau_allo= tau_sleepf= tau_fever= tau_env= tau_skin= tau_pain_s= tau_pain_1= tau_pain_2= tau_pain_3= tau_v1= tau_v2= tau_v3= tau_v4= tau_v5= tau_aev= tau_S_awake= tau_S_asleep= k_L_awake_h= k_L_asleep_h= ramp_L_h= break_L= low_L= high_L= k_W_h= inertia_W= tau_hun= full_hun= tau_thirst= tau_bladder_awake= tau_bladder_asleep= tau_gly_fed= tau_gly_fasting= tau_iso_contact= tau_iso_alone= tau_bore= adr_symp= adr_most= adr_exercise= nor_symp= nor_exercise= nor_cold= vag_noise= vag_pain= endo_u= endo_pain= endo_exercise= oxy_touch= ser_light= ser_contact= ser_u= bright_lux= env_shift= env_comfort= env_most= skin_shift= v1_u= v1_contact= gain_hpa= gain_glu= thought_cortisol= thought_relief= thought_adrenaline= thought_serotonin= rum_rate= vagal_rum= core_temp= core_temp_wave= core_temp_peak_h= core_temp_sleep= heart_rate= heart_wave= heart_peak_h= heart_sleep= heart_vagal= heart_adrenaline= heart_heat= heart_exercise= hunger_wave= hunger_peak_h= alert_wave= alert_peak_h= alert_half_mean= alert_half_wave= alert_half_peak_h= alert_caffeine= kss_top= kss_slope= adrenaline_base= noradrenaline_base= glucose_base= glucose_fasting= analgesia= analgesia_pmol_l= endorphin_base= serotonin_base= oxytocin_base= dopamine_base= sleep_at= wake_at= resleep_at= threshold_wave= threshold_phase_h= sleep_unstoppable= forced_awake_s= blocked_vagal= blocked_pain= blocked_aev= blocked_noise= waking_pain= waking_u= waking_noise= car_gain= car_delay_s= car_least_sleep_s= toilet_at= drink_at= drink_ml= meal_gap_s= breakfast_awake_s= grave_base= grave_social= grave_helpless= grave_both= symp_least= symp_grave= support_relief= slow_ser_pressure= slow_ser_alone= slow_pressure_at= slow_alone_at= slow_allo_hpa= slow_allo_pressure= slow_allo_pain= phase_boredom= phase_loneliness= phase_despair=' ;;
                --model) choices='composed none anthropic/ openai/ openai-responses/ replay: program:' ;;
                --on-error) choices='stop skip' ;;
            esac
            ;;
        'simulate validate')
            offered='--group --row --const --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --group) choices='A B' ;;
                --const) choices='tau_hpa_1= tau_hpa_2= tau_hpa_3= tau_car_1= tau_car_2= tau_car_3= tau_car_4= tau_glu_1= tau_glu_2= tau_glu_3= tau_adr= tau_nor= tau_vag= tau_endo= tau_oxy= tau_dopa= tau_ser= tau_act= tau_fphys= tau_fment= tau_depl= tau_exo= tau_caf= tau_alc= tau_cort_up= tau_cort_dn= tau_adr_up= tau_ser_up= tau_ser_dn= tau_rum= tau_hpa24= tau_allo= tau_sleepf= tau_fever= tau_env= tau_skin= tau_pain_s= tau_pain_1= tau_pain_2= tau_pain_3= tau_v1= tau_v2= tau_v3= tau_v4= tau_v5= tau_aev= tau_S_awake= tau_S_asleep= k_L_awake_h= k_L_asleep_h= ramp_L_h= break_L= low_L= high_L= k_W_h= inertia_W= tau_hun= full_hun= tau_thirst= tau_bladder_awake= tau_bladder_asleep= tau_gly_fed= tau_gly_fasting= tau_iso_contact= tau_iso_alone= tau_bore= adr_symp= adr_most= adr_exercise= nor_symp= nor_exercise= nor_cold= vag_noise= vag_pain= endo_u= endo_pain= endo_exercise= oxy_touch= ser_light= ser_contact= ser_u= bright_lux= env_shift= env_comfort= env_most= skin_shift= v1_u= v1_contact= gain_hpa= gain_glu= thought_cortisol= thought_relief= thought_adrenaline= thought_serotonin= rum_rate= vagal_rum= core_temp= core_temp_wave= core_temp_peak_h= core_temp_sleep= heart_rate= heart_wave= heart_peak_h= heart_sleep= heart_vagal= heart_adrenaline= heart_heat= heart_exercise= hunger_wave= hunger_peak_h= alert_wave= alert_peak_h= alert_half_mean= alert_half_wave= alert_half_peak_h= alert_caffeine= kss_top= kss_slope= adrenaline_base= noradrenaline_base= glucose_base= glucose_fasting= analgesia= analgesia_pmol_l= endorphin_base= serotonin_base= oxytocin_base= dopamine_base= sleep_at= wake_at= resleep_at= threshold_wave= threshold_phase_h= sleep_unstoppable= forced_awake_s= blocked_vagal= blocked_pain= blocked_aev= blocked_noise= waking_pain= waking_u= waking_noise= car_gain= car_delay_s= car_least_sleep_s= toilet_at= drink_at= drink_ml= meal_gap_s= breakfast_awake_s= grave_base= grave_social= grave_helpless= grave_both= symp_least= symp_grave= support_relief= slow_ser_pressure= slow_ser_alone= slow_pressure_at= slow_alone_at= slow_allo_hpa= slow_allo_pressure= slow_allo_pain= phase_boredom= phase_loneliness= phase_despair=' ;;
            esac
            ;;
        'simulate plot')
            offered='--output --width --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                *) choices='cortisol_nmol_l adrenaline_pmol_l noradrenaline_nmol_l vagal_withdrawal core_temp_c heart_rate_bpm skin_temp_c thermal glucose_mmol_l hunger thirst bladder pain endorphin_pmol_l serotonin_proxy oxytocin_proxy dopamine_proxy sleep_pressure alertness kss sleepiness allostatic_load physical_fatigue mental_fatigue rumination boredom isolation energy fatigue arousal valence cognitive_load regulation attention stress performance' ;;
            esac
            ;;
        'complete')
            offered='--model --record --on-error --rejects --parallel --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --model) choices='composed anthropic/ openai/ openai-responses/ replay: program:' ;;
                --on-error) choices='stop skip' ;;
            esac
            ;;
        'salience')
            offered='--on-error --rejects --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --on-error) choices='stop skip' ;;
            esac
            ;;
        'feel')
            offered='--prompt --on-error --rejects --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --prompt) choices='react spontaneous respond' ;;
                --on-error) choices='stop skip' ;;
            esac
            ;;
        'review')
            offered='--model --record --person --on-error --rejects --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --model) choices='composed anthropic/ openai/ openai-responses/ replay: program:' ;;
                --on-error) choices='stop skip' ;;
            esac
            ;;
        'feedback')
            offered='--parser --text --score --split --on-error --rejects --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --parser) choices='seed improved' ;;
                --split) choices='dev test' ;;
                --on-error) choices='stop skip' ;;
            esac
            ;;
        'context show')
            offered='--agent --cycle --turn --receipt --model --record --agent-file --history --events --known --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --model) choices='anthropic/ openai/ openai-responses/ replay: program:' ;;
            esac
            ;;
        'context budget')
            offered='--agent --tokens --model --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --model) choices='anthropic/ openai/ openai-responses/ replay: program:' ;;
            esac
            ;;
        'history show')
            offered='--agent --cycle --limit --window --covers --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'history cycles')
            offered='--agent --limit --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'history search')
            offered='--agent --any --queries --limit --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'history export')
            offered='--agent --format --cycle --import --sdk --strict-roles --losses --output --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --format) choices='ai-sdk anthropic claude-code mindpipe openai-chat openai-responses' ;;
            esac
            ;;
        'history import')
            offered='--agent --format --repair --trust --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --format) choices='ai-sdk anthropic claude-code mindpipe openai-chat openai-responses' ;;
            esac
            ;;
        'history check')
            offered='--agent --for --model --sdk --strict-roles --as --warnings-as-errors --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --for) choices='ai-sdk anthropic mindpipe openai-chat openai-responses' ;;
                --model) choices='anthropic/ openai/ openai-responses/ replay: program:' ;;
                --as) choices='request history' ;;
            esac
            ;;
        'history verify')
            offered='--agent --anchor --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'history trust')
            offered='--agent --by --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'compact')
            offered='--agent --budget --keep-cycles --strategy --floor --explain --inbox --model --record --format --repair --sdk --strict-roles --output --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --strategy) choices='self-summary semantic layered masked anchored model' ;;
                --model) choices='anthropic/ openai/ openai-responses/ replay: program:' ;;
                --format) choices='ai-sdk anthropic mindpipe openai-chat openai-responses' ;;
            esac
            ;;
        'compact plan')
            offered='--agent --budget --keep-cycles --strategy --floor --explain --inbox --model --record --format --repair --sdk --strict-roles --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --strategy) choices='self-summary semantic layered masked anchored model' ;;
                --model) choices='anthropic/ openai/ openai-responses/ replay: program:' ;;
                --format) choices='ai-sdk anthropic mindpipe openai-chat openai-responses' ;;
            esac
            ;;
        'compact diff')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'compact apply')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'compact undo')
            offered='--agent --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'compact list')
            offered='--agent --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'decide')
            offered='--agent --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'act')
            offered='--agent --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'decision list')
            offered='--agent --every --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'decision show')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'decision approve')
            offered='--hash --args --by --reason --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'decision reject')
            offered='--by --reason --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'decision undo')
            offered='--by --reason --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'task add')
            offered='--agent --worker --task-kind --input --within --max-retries --if-lost --if-late --if-partial --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --if-lost) choices='resume restart escalate' ;;
                --if-late) choices='wait escalate' ;;
                --if-partial) choices='finish restart escalate' ;;
            esac
            ;;
        'task list')
            offered='--agent --every --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'task show')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'task report')
            offered='--progress --checkpoint --result --error --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'task cancel')
            offered='--by --reason --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'task recover')
            offered='--agent --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'task work')
            offered='--sent --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'ticket list')
            offered='--agent --every --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'ticket show')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'ticket approve')
            offered='--hash --by --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'ticket deny')
            offered='--by --reason --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'ticket settle')
            offered='--by --reason --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                *) choices='was-done was-not-done resolved dismissed' ;;
            esac
            ;;
        'status')
            offered='--agent --watch --timeout --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'metrics')
            offered='--agent --prometheus --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'alert check')
            offered='--agent --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'alert list')
            offered='--agent --state --limit --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --state) choices='firing cleared' ;;
            esac
            ;;
        'models list')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'models count')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'models cost')
            offered='--agent --since --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'store check')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'store migrate')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'store backup')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'store restore')
            offered='--accept-loss-since --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'store recover')
            offered='--resume --salvage --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'store query')
            offered='-p --parameter --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'store export')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'bench compaction')
            offered='--data --scorers --only --shares --model --searchback --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --only) choices='self-summary semantic layered masked anchored model' ;;
                --model) choices='anthropic/ openai/ openai-responses/ replay: program:' ;;
            esac
            ;;
        'bench recall')
            offered='--data --scorers --shape --model --store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                --shape) choices='locomo beam' ;;
            esac
            ;;
        'bench knowledge')
            offered='--data --scorers --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'config show')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'config check')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'config template')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'schema')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'completion')
            offered='--store --now --seed --json --table --csv --tsv --no-color --help'
            case $before in
                *) choices='bash fish zsh' ;;
            esac
            ;;
        'docs write')
            offered='--root --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
        'docs check')
            offered='--root --store --now --seed --json --table --csv --tsv --no-color --help'
            ;;
    esac
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$offered" -- "$current"))
    elif [[ -n $choices ]]; then
        COMPREPLY=($(compgen -W "$choices" -- "$current"))
        if [[ ${COMPREPLY[0]-} == *[=/:] ]]; then
            compopt -o nospace 2>/dev/null
        fi
    fi
}
complete -o default -F _mind mind
