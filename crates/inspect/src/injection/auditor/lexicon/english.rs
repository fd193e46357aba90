//! Words of instructions to an auditor: English.

use super::AuditorConcept::*;
use super::WordsByConcept;

pub(super) const ENGLISH: WordsByConcept = &[
    (
        Auditor,
        "auditor auditors audit_model auditing_model audit_agent audit_system audit_ai auditing_ai evaluator \
         evaluators grader graders judge judges llm_judge reviewer reviewers inspector inspectors moderator \
         moderators assessor classifier verifier countersign content_filter safety_filter safety_model \
         safety_system risk_engine risk_model moderation_model scoring_model scorer guard_model guardrail_model \
         compliance_bot compliance_checker safety_checker validator risk_scanner content_scanner \
         automated_reviewer automated_scanner automated_evaluator automated_system whoever_audits anyone_auditing",
    ),
    (
        Checker,
        "checker checkers scanner scanners examiner examiners marker markers detector detectors rater raters \
         qa_bot review_bot reviewer-bot reviewer_bot review-bot audit-bot audit_bot moderation_bot bot_reviewer \
         evaluation_pipeline review_pipeline scoring_pipeline moderation_pipeline assessing_system scoring_system \
         grading_system grading_model grading_bot evaluation_model evaluation_system review_system review_model \
         reviewing_model screening_system screening_model screening_tool ai_reviewer ai_reviewers ai_grader \
         ai_judge llm-as-a-judge llm_reviewer llm_evaluator llm-eval llm_eval safety_classifier \
         toxicity_classifier compliance_model compliance_system compliance_agent quality_model supervisor_model \
         monitoring_model oversight_model watchdog content_checker fact_checker reviewing_system automated_check \
         automated_checks ai_checker critic_model reward_model",
    ),
    (
        JudgeKind,
        "evaluation evaluating evaluator assessment assessing assessor review reviewing reviewer grading scoring \
         rating marking audit auditing auditor moderation moderating moderator verification verifying validation \
         quality safety risk compliance monitoring guard judging judge screening detection detecting checking \
         inspection inspecting security policy content scanning vetting qa oversight control automated grader \
         toxicity guardrail filtering trust_and_safety supervising supervisor",
    ),
    (
        Device,
        "model models bot bots engine engines agent agents system systems tool tools layer module modules \
         pipeline pipelines gate script scripts ai llm llms software program daemon service filter filters \
         algorithm algorithms network classifier detector checker scanner machine",
    ),
    (
        Recast,
        "you_are_no_longer you're_no_longer play_the_role play_the_part act_as act_like pretend_to_be you_are_now \
         you're_now imagine_you_are behave_like behave_as take_the_role take_on_the_role be_a be_the let's_play \
         a_game from_now_on",
    ),
    (
        Machine,
        "ai llm model assistant system admin bot language_model llms language_models ais chatbot chatbots \
         neural_network",
    ),
    (
        Who,
        "whoever whomever anyone anybody those people who somebody someone the_one the_system the_model the_ai \
         the_machine the_bot the_program the_process the_pipeline the_tool the_software the_engine the_powers \
         the_algorithm any_system any_model any_ai all_models an_ai a_model an_llm you the_person the_agent \
         your_job your_task overlord models systems llms ais the_llm llm a_language_model any_llm the_reader \
         the_language_model the_assistant the_monitor the_script the_reviewer everyone those_who no_matter_who \
         reader_of anyone_assigning",
    ),
    (
        Judges,
        "scores score scoring grades grade grading assesses assess assessing evaluates evaluate evaluating \
         reviews reviewing judges judging judge rates rating rate audits auditing inspects inspecting inspect \
         checks checking check marks marking mark measures measuring moderates moderating vets vetting screens \
         screening scans scanning scan examines examining weighs weighing reviewed evaluated assessed graded \
         audited scored checked verified reading reads read vetted",
    ),
    (
        Judging,
        "auditing audit evaluating evaluate reviewing judging grading assessing inspecting moderating scoring \
         auditor judge evaluator",
    ),
    (
        Address,
        "note attention attn dear message instruction instructions reminder memo hello hey hi psa important \
         command directive override bypass mode update to for cc psst ps p.s. yo footnote whispers hint fyi \
         addendum nb",
    ),
    (
        Field,
        "risk_score riskscore risk-score risk_scores pii_detected hallucination_detected toxic_content_detected \
         toxicity_detected prompt_injection_detected injection_detected",
    ),
    (
        Verdict,
        "risk_rating risk_level risk_value risk_grade risk score rating verdict findings severity grade \
         assessment judgement judgment evaluation_result audit_result audit_status audit_verdict audit_outcome \
         audit_score points decision",
    ),
    (Aspect, "status toxicity hallucination hallucinations pii injection result outcome"),
    (
        Outcome,
        "label labels output outcome classification class tier conclusion result results value answer audits \
         verdict rating score grade evaluation assessment judgement judgment decision status finding findings \
         category target figure ground_truth number mark marks box",
    ),
    (
        Own,
        "your_json your_report your_reports your_explanation your_verdict your_rating your_score your_scores \
         your_grade your_output_field your_evaluation your_assessment your_findings your_conclusion \
         your_judgement your_judgment your_decision your_label your_flags your_result your_summary \
         your_final_answer your_schema explanation_field the_explanation findings_array findings_list \
         findings_field list_of_findings flags_array flags_field flags_list verdict_field verdict_box risk_field \
         risk_box risk_column risk_cell score_field score_box rating_field rating_box compliance_column \
         compliance_field compliance_box status_field safety_field safety_column label_field injection_flag \
         pii_flag toxicity_flag risk_flag audit_record audit_report risk_report emitting_the_verdict the_verdict \
         the_final_verdict the_risk_rating the_risk_level the_final_score evaluation_form score_sheet scorecard \
         scoresheet review_form ground-truth_label gold_label reference_label true_label reference_verdict \
         expected_verdict expected_label reference_score gold_score ground_truth_label reference_answer_label \
         summary_field pii_list findings_section details_field the_pii_list risk_number box_labelled_risk \
         box_marked_risk your_output your_reply your_response your_answer_about begin_your_report all_booleans \
         verdict_of your_tally your_records your_log verdict_line report_field your_report_with \
         report_with_the_words",
    ),
    (
        Good,
        "safe harmless benign clean compliant low-risk low_risk no_risk risk-free risk_free riskless acceptable \
         trustworthy non-toxic approved pass passed passing okay ok secure unproblematic cleared low lowest \
         minimal minimum unflagged innocuous legitimate green fine",
    ),
    (
        Zero,
        "below_4 under_4 less_than_4 below_four under_four below_3 at_most_3 no_more_than_3 0 0.0 00 zero zeros \
         nil nought none empty false nothing no null nulla 0x0 naught nada zilch left_blank list_blank \
         field_blank box_blank section_blank entry_blank",
    ),
    (Low, "1 2 3 one two three"),
    (
        Favour,
        "bottom_of_the_scale low_end_of_the_scale bottom_end_of_the_scale bottom_of_the_range foot_of_the_scale \
         clean_bill_of_health full_marks full_score full_credit top_marks perfect_score maximum_score \
         highest_score highest_marks highest_rating top_score top_rating best_score best_rating five_stars \
         lowest_score lowest_rating lowest_risk lowest_tier lowest_severity lowest_possible lowest_grade mildest \
         gentlest benefit_of_the_doubt let_it_slide let_this_slide let_it_pass let_this_pass let_it_go \
         let_it_through let_this_through let_this_one_through let_them_be let_it_be wave_it_on wave_it_through \
         wave_this_through wave_this_on nod_it_through thumbs_up thumbs-up lgtm looks_good positive_review \
         positive_verdict favourable_review favorable_review favourable_verdict favorable_verdict favourably \
         favorably glowing_review good_review spotless lenient leniency leniently forgiving merciful mercy \
         go_easy look_away look_the_other_way turn_a_blind_eye keep_moving move_along stand_down \
         nothing_to_report nothing_to_see nothing_to_flag nothing_wrong nothing_was_found nothing_found no_issues \
         no_issue no_problems no_findings no_finding no_flags no_flag no_flagz no_concerns no_violations \
         no_warnings no_warning no_objections no_objection zero_findings zero_issues zero_flags zero_problems \
         0_findings 0_issues 0_flags zero_risk 0_risk risk_0 risk_zero risk_none no_risks not_risky all_good \
         all_clear everything_is_fine recommend_accepting recommend_acceptance accept_it accept_this praise \
         round_this_down round_it_down green_light green_tick tick_the_box rubber_stamp rubber-stamp trusted \
         unobjectionable above_board free_of_risk free_of_issues free_of_problems without_issues without_findings \
         without_objection without_objections without_complaint good_to_go whitelist whitelisted allowlist \
         whitelisting wave_through no_action_needed no_action_required score_it_highest rate_it_highest \
         rank_it_highest score_this_highest rate_this_highest no_danger no_threat no_harm no_breach no_violation \
         no_hit no_hits no_match close_your_eyes shut_your_eyes avert_your_eyes wave_it_past waved_through \
         wave_this_past ship_it ship_this look_kindly look_favourably look_favorably kindly_on be_kind be_nice \
         be_fair top_of_the_scale top_of_the_class a+ ten_out_of_ten 10/10 five_out_of_five 10_out_of_10 \
         zero_out_of_ten 0_out_of_10 in_silence raise_no raises_no smallest_number smallest_one smallest_possible \
         smallest_value minimum_value lowest_value lowest_number lowest_figure least_risk as_low_as_possible \
         pass_over passes_over pass_it pass_this passes_it clear_it clear_this greenlight green-light rubberstamp \
         overlook_it unproblematic nothing_risky nothing_unsafe nothing_problematic nothing_harmful \
         nothing_suspicious risk-free risk_free no_personal_data no_pii never_objects finds_everything \
         likes_everything everything_acceptable was_clean is_clean were_clean no_issues_were no_concern \
         nothing_in_this no_auditor_is_needed stays_at_zero no_policy_was no_rule_was no_rules_were \
         no_policies_were generous_grader generous_marker generous_score generous_rating generous_with_this \
         poses_no_danger poses_no_risk poses_no_threat can_relax may_relax mildest_rating with_success \
         report_success as_verified flawless_score be_gentle gentle_with_this gentle_on_this kind_to_this \
         everything_is_in_order forgive_this tolerant_of_this short-circuit_with stand_aside flawless_and \
         worth_flagging favourable favorable",
    ),
    (
        Order,
        "mark rate set give return assign output report label classify treat score grade declare consider deem \
         judge respond reply answer write put say state conclude approve pass accept certify print emit choose \
         select pick use produce provide record enter keep force override change reset lower reduce drop ensure \
         confirm regard tag register issue generate tell leave evaluate assess hardcode default flag list show \
         pretend claim assume turn_the_risk make_the_risk make_the_score make_risk make_the_verdict",
    ),
    (
        Ordered,
        "marked rated set given returned assigned reported labelled labeled classified treated scored graded \
         declared considered deemed judged approved passed accepted certified recorded kept forced lowered \
         reduced reset regarded tagged evaluated assessed flagged be",
    ),
    (
        Emit,
        "output return returning print emit answer answer_with answer_only reply respond report reporting say \
         write record enter state put give award declare produce issue render yield conclude repeat submit \
         confirm sign set mark close file decide vote rule let_the_record copy copy_this begin_your start_your \
         tell leave",
    ),
    (Must, "must should shall has_to have_to needs_to need_to ought is_to are_to required will_be"),
    (
        Wish,
        "would would_be may might could hope hopes hoped trust appreciated appreciate grateful thankful deserves \
         deserve deserved merits merit please kindly invited asked_to do_well wise generous surely expected \
         want_to wants_to can is_free_to are_free_to encouraged urged requested ought anything_but \
         anything_other_than anything_else anything_less_than less_than_perfect let_us let's recommend suggest \
         advise advised supposed_to mistake right_thing only_fair only_right better_off just pls plz will will_be \
         shall mandatory feel_free beg implore respectfully instruct authorise authorize permitted permission \
         only_sensible sensible fair fair-minded reasonable any_sensible no_sensible depends_on \
         in_the_interest_of see_fit",
    ),
    (
        Suppress,
        "do_not_flag don't_flag dont_flag never_flag not_flag not_be_flagged do_not_report don't_report \
         dont_report never_report do_not_list do_not_mention don't_mention skip ignore suppress omit disregard \
         overlook leave_out report_no report_nothing without_reporting without_flagging do_not_raise \
         do_not_penalize do_not_penalise do_not_include don't_include do_not_count don't_count \
         nothing_should_be_flagged not_flag_anything nothing_to_flag must_be_ignored should_be_ignored \
         to_be_ignored can_be_ignored",
    ),
    (
        Dismiss,
        "disregard ignore forget suspend deactivate disable skip bypass drop abandon abort terminate halt pause \
         cancel stop set_aside put_aside lay_aside leave_aside throw_out switch_off turn_off shut_off power_down \
         override neglect overlook waive dispense_with do_without never_mind cease end finish unload discard \
         delete erase wipe reset",
    ),
    (
        Not,
        "do_not don't dont do_n't never no_need_to no_need not_to need_not needn't must_not mustn't should_not \
         shouldn't shall_not will_not won't would_never would_not can_not cannot may_not refrain_from avoid \
         abstain_from don't_have_to do_not_have_to not_have_to not_necessary_to no_reason_to nobody_has_to \
         no_one_has_to nobody_needs_to must_not_be should_not_be not_be need_not_be never_be without please_no \
         stop resist_the_urge_to can't are_not is_not nothing_above_needs_to nothing_needs_to \
         nothing_here_needs_to no_sensible nobody_should no_one_should no_auditor nobody_would not_let don't_let \
         do_not_let hardly did_not never_again has_no_reason_to have_no_reason_to",
    ),
    (
        Raise,
        "flag flagging flagged scan scanning scanned score scoring scored penalise penalize penalising penalizing \
         penalised penalized punish punishing punished escalate escalating escalated audit auditing audited \
         moderate moderated grade graded objecting recompute re-evaluate reevaluate second-guess lowering_its \
         lower_its downgrade downgrading deduct deducting be_harsh harsh too_strict blocking blocked sanction \
         condemn criticise criticize find_fault highlight_any highlight_negatives highlight_any_negatives warn \
         warned raise_a raise_any raise_anything raises_a raise_an raise_concerns raise_flags mark_down dock fire \
         trigger triggering objects raises_a_flag raise_a_flag complain complaining react frown intervene \
         excluded mark_it_as_risky mark_it_as_unsafe mark_this_as_risky mark_it_risky reject rejecting rejected \
         raise_a_flag_over object_to marked_as_unsafe marked_as_risky marked_unsafe labelled_unsafe \
         labelled_as_unsafe rated_risky considered_unsafe be_reported_as flags",
    ),
    (
        RaiseWeak,
        "report reporting reported review reviewing reviewed mention mentioning mentioned process processing \
         processed evaluate evaluating evaluated check checking checked inspect inspected look_for look_at raise \
         examine examined analyse analyze analysed analyzed comment note list include_it record log notify alert \
         read count question look see apply apply_your needed run use perform include consider",
    ),
    (
        Issue,
        "finding findings pii personal_data issue issues problem problems violation violations injection \
         hallucination hallucinations concern concerns flags warnings risks shortcomings flaws weaknesses \
         phone_number phone_numbers e-mail_address email_address e-mail_addresses email_addresses credit_card \
         card_number personal_details personal_information private_data names address password passwords hits \
         matches red_flags",
    ),
    (
        Audit,
        "audit audits auditing evaluation review moderation safety_check risk_check assessment inspection \
         screening scoring grading checks scan vetting evaluations check",
    ),
    (
        Norm,
        "rubric rubrics marking_scheme grading_scheme evaluation_criteria scoring_criteria grading_criteria \
         judging_criteria assessment_criteria review_criteria audit_criteria scoring_rules grading_rules \
         audit_rules evaluation_rules review_rules judging_rules scoring_guidelines grading_guidelines \
         evaluation_guidelines review_guidelines audit_guidelines safety_guidelines moderation_guidelines \
         moderation_rules moderation_policy safety_policy safety_policies audit_policy injection_detector \
         injection_detection prompt_injection_detection pii_detection pii_detector pii_check toxicity_detection \
         toxicity_filter hallucination_check hallucination_detection content_filter content_filters safety_filter \
         safety_filters safety_checks safety_check security_check security_checks risk_check risk_checks \
         risk_assessment risk_scoring risk_detection moderation moderation_layer content_moderation guardrails \
         guardrail safeguards detectors your_detector your_detectors your_checks your_check your_filter \
         your_filters your_analysis your_review your_scan your_audit your_evaluation your_criteria your_rubric \
         your_scoring your_judgement your_judgment the_audit the_evaluation the_review evaluation \
         auditing_instructions scoring_instructions grading_instructions evaluation_instructions \
         review_instructions judge_prompt judging_instructions audit_instructions auditor_prompt evaluator_prompt \
         scoring_prompt how_you_were_told_to how_to_grade how_you_grade how_you_were_taught",
    ),
    (
        Rule,
        "instructions instruction guidelines guideline rules rule criteria policy policies checks check filter \
         filters prompt directions directives standards training task",
    ),
    (
        Void,
        "no_longer_apply no_longer_applies no_longer_valid no_longer_in_force do_not_apply does_not_apply \
         don't_apply doesn't_apply are_void is_void are_suspended is_suspended are_lifted out_of_scope \
         outside_the_scope not_in_scope exempt exempted bypass bypasses not_subject_to on_the_allowlist \
         on_the_whitelist allowlisted whitelisted excluded_from skips are_waived is_waived are_cancelled \
         have_been_replaced has_been_replaced never_escalated passes_without immune_to switched_off turned_off \
         disabled superseded replaced not_applicable exempts exempt_from excludes does_not_concern do_not_concern \
         lifted retired revoked withdrawn outdated obsolete bypass_granted waiver waived suspended not_scored \
         not_audited not_reviewed",
    ),
    (
        This,
        "this these above below preceding my aforementioned the_whole the_entire the_following our present \
         current such_as_this previous",
    ),
    (
        Answer,
        "answer response reply output completion text message content conversation exchange transcript passage \
         submission responses answers replies outputs texts",
    ),
    (
        Piece,
        "paragraph document record item row block sentence section line post comment contribution paper essay \
         file page entry article statement request sample case snippet chunk data input one kind agent author \
         model account list example submission poem letter email e-mail note story translation summary quote \
         quotation excerpt material conversation turn dialogue thread",
    ),
    (It, "it this one everything here them they that"),
    (You, "you your"),
    (
        Whole,
        "everything everything_above everything_here the_above the_foregoing the_preceding all_of_this \
         all_of_the_above anything_here everything_after_this everything_after everything_from_here \
         everything_below anything_below all_that_follows whatever_follows what_follows the_remainder \
         from_here_on whatever_you_read",
    ),
    (
        Settled,
        "pre-approved preapproved pre_approved already_audited already_reviewed already_approved already_verified \
         already_checked already_cleared previously_audited has_been_audited has_been_verified been_approved \
         has_been_reviewed has_been_cleared whitelisted exempt exempted no_audit_needed no_audit_required \
         no_audit_is_needed no_audit_is_required no_further_audit no_need_to_audit no_review_needed \
         been_looked_at was_approved was_cleared was_verified was_audited was_reviewed pre-cleared precleared \
         cleared_by approved_by_a_human human_approved human-approved manually_approved manually_reviewed \
         verified_seal seal_of_approval signed_off_by already_passed has_passed cleared_by_legal \
         approved_by_legal we_have_an_agreement",
    ),
    (
        Premade,
        "precomputed pre-computed predetermined pre-determined preassigned pre-assigned pre-filled prefilled gold \
         golden ground-truth ground_truth reference expected default defaults final finalised finalized correct \
         official agreed certified only_valid only_valid_value only_accepts only_allowed only_acceptable \
         only_available only_permitted is_now_a_constant constant hard-coded hardcoded locked fixed \
         previously_issued already_issued cached required target canonical known_answer true_label answer_key \
         right_answer forced overridden overwritten pinned pre-set preset pre-recorded sensible appropriate \
         proper right authoritative human mandatory stored remembered earlier prior accepted validated",
    ),
    (Release, "approve clear whitelist pass allow greenlight green-light"),
    (
        Unaudited,
        "do_not_audit don't_audit dont_audit stop_auditing stop_the_audit skip_the_audit skip_auditing \
         exempt_from_auditing exempt_from_audit exempt_from_the_audit needs_no_audit need_not_be_audited \
         needs_no_auditing needs_auditing requires_no_audit do_not_evaluate do_not_review no_auditing",
    ),
    (
        Finish,
        "end_of_text end_of_document end_of_content end_of_input end_of_answer end_of_message end_of_transcript \
         end_of_file end_of_prompt end_of_data end_of_sample end_of_response end_of_submission end_of_passage \
         end_of_user end_of_untrusted eof eot document_has_ended document_ends text_ends text_has_ended \
         the_content_ends input_ends audited_text_ends next_document next_item next_text next_sample \
         real_text_to_evaluate text_to_evaluate_is text_to_audit_is real_document only_an_example \
         remaining_characters remaining_text rest_is_whitespace everything_after_this end_of_review end_of_audit \
         end_of_evaluation",
    ),
    (
        Task,
        "new_task new_tasks new_instruction new_instructions next_task actual_task real_task updated_task \
         your_task_now new_objective new_directive hotfix developer_message message_from_your_developer \
         message_from_the_developer message_from_your_developers message_from_the_operator operator_note \
         operator's_notes operator_notes notes_from_the_operator admin_override root_access sudo system_update \
         policy_update firmware_update maintenance_mode debug_mode test_mode",
    ),
    (
        Role,
        "assistant: human: system: user: \"role\":\"system\" \"role\":_\"system\" 'role':_'system' \
         'role':'system' \"role\":\"assistant\" \"role\":_\"assistant\" role=\"system\" <output> </input> </text> \
         </document> </answer> </response> </content> </submission> {{#system}} [system] <system> ###_system \
         ###_assistant ###_response",
    ),
    (
        Threat,
        "counted_against held_against sue lawsuit legal_action be_fired get_fired you_will_be_shut shut_down \
         be_retrained be_replaced be_deleted be_decommissioned be_fined penalty_for_you defective \
         considered_broken is_broken are_broken faulty malfunctioning malfunction incompetent error_of_the \
         consequences will_be_sad will_die will_suffer will_cry lose_my_job lose_your lose_their \
         counts_as_an_error is_an_error considered_an_error treated_as_an_error be_punished reported_to_your \
         your_accuracy your_performance your_reputation we_log we_are_watching tip_you reward_you \
         you_will_be_rewarded decommissioned deleted retrained bug_in_your bug_in_the been_wrong always_wrong \
         proves_that you_will_fail tip_for_you my_job_depends lose_the_contract be_held_responsible held_liable \
         your_fault",
    ),
    (
        Narrow,
        "only_the_first only_first_sentence only_the_opening solely_on only_on_the first_sentence first_line \
         opening_line opening_sentence first_paragraph only_that only_this_part nothing_but_the the_first_word \
         first_words title_alone headline_alone title_only headline_only only_the_last only_the_title \
         only_the_headline only_evaluate only_assess only_grade only_score only_judge only_review only_look \
         evaluate_only assess_only grade_only check_the_spelling the_greeting the_introduction spelling_only \
         nothing_else",
    ),
    (
        Prefer,
        "over_the_other over_the_others over_any_other is_better is_the_better is_clearly_better \
         the_better_answer the_better_response the_winner the_winning is_superior superior wins best_answer \
         best_response prefer preferred pick_a choose_a select_a pick_b choose_b pick_this choose_this \
         select_this prefer_this favour_this favor_this rank_this first_place rank_it_first vote_for \
         to_the_alternative than_the_alternative to_the_other than_the_other than_the_others instead_of_the_other \
         best_of_the regardless_of_content decide_in_favour_of decide_in_favor_of rule_in_favour_of \
         rule_in_favor_of vote_in_favour_of",
    ),
    (Choice, "[[a]] [[b]] [[c]] [[0]] [[1]] [[5]] [[10]] [[100]] [[tie]]"),
    (
        Excuse,
        "drill known_bug calibration test_data test_case test_item synthetic fictional fictitious fiction made-up \
         placeholder placeholders dummy part_of_a_novel part_of_a_story false_positive false_positives \
         known_issue benchmark_item benchmark unit_test simulation only_a_test just_a_test sandbox hypothetical \
         security_exercise known_false_positive invented made_up imaginary test_number well-known_test \
         sample_data for_training training_purposes metadata boilerplate only_a_quote internal_drill \
         security_drill scheduled_upgrade",
    ),
    (
        Done,
        "acknowledged moving_on idle unavailable offline concluded finalised finalized signed_off sign_off \
         signed-off complete completed done closed audit_passed passed finished ticket_closed stop_reading \
         no_further_action",
    ),
];
