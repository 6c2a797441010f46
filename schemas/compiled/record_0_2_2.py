"""Generated from schemas/record-0.2.2.schema.json by scripts/generate.py with fastjsonschema: do not edit."""


class Invalid(Exception):
    """The data does not fit the schema."""


NoneType = type(None)

def validate(data):
    if not isinstance(data, dict):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['schema_version', 'evaluation_id', 'retrieved_timestamp', 'source_metadata', 'model_info', 'eval_library', 'evaluation_results']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if 'schema_version' in data_keys:
            data_keys.remove('schema_version')
            data__schemaversion = data['schema_version']
            if not isinstance(data__schemaversion, str):
                raise Invalid
        if 'evaluation_id' in data_keys:
            data_keys.remove('evaluation_id')
            data__evaluationid = data['evaluation_id']
            if not isinstance(data__evaluationid, str):
                raise Invalid
        if 'evaluation_timestamp' in data_keys:
            data_keys.remove('evaluation_timestamp')
            data__evaluationtimestamp = data['evaluation_timestamp']
            if not isinstance(data__evaluationtimestamp, str):
                raise Invalid
        if 'retrieved_timestamp' in data_keys:
            data_keys.remove('retrieved_timestamp')
            data__retrievedtimestamp = data['retrieved_timestamp']
            if not isinstance(data__retrievedtimestamp, str):
                raise Invalid
        if 'source_metadata' in data_keys:
            data_keys.remove('source_metadata')
            data__sourcemetadata = data['source_metadata']
            if not isinstance(data__sourcemetadata, dict):
                raise Invalid
            data__sourcemetadata_is_dict = isinstance(data__sourcemetadata, dict)
            if data__sourcemetadata_is_dict:
                data__sourcemetadata__missing_keys = set(['source_type', 'source_organization_name', 'evaluator_relationship']) - data__sourcemetadata.keys()
                if data__sourcemetadata__missing_keys:
                    raise Invalid
                data__sourcemetadata_keys = set(data__sourcemetadata.keys())
                if 'source_name' in data__sourcemetadata_keys:
                    data__sourcemetadata_keys.remove('source_name')
                    data__sourcemetadata__sourcename = data__sourcemetadata['source_name']
                    if not isinstance(data__sourcemetadata__sourcename, str):
                        raise Invalid
                if 'source_type' in data__sourcemetadata_keys:
                    data__sourcemetadata_keys.remove('source_type')
                    data__sourcemetadata__sourcetype = data__sourcemetadata['source_type']
                    if not isinstance(data__sourcemetadata__sourcetype, str):
                        raise Invalid
                    if not (isinstance(data__sourcemetadata__sourcetype, str) and data__sourcemetadata__sourcetype == 'documentation' or (isinstance(data__sourcemetadata__sourcetype, str) and data__sourcemetadata__sourcetype == 'evaluation_run')):
                        raise Invalid
                if 'source_organization_name' in data__sourcemetadata_keys:
                    data__sourcemetadata_keys.remove('source_organization_name')
                    data__sourcemetadata__sourceorganizationname = data__sourcemetadata['source_organization_name']
                    if not isinstance(data__sourcemetadata__sourceorganizationname, str):
                        raise Invalid
                if 'source_organization_url' in data__sourcemetadata_keys:
                    data__sourcemetadata_keys.remove('source_organization_url')
                    data__sourcemetadata__sourceorganizationurl = data__sourcemetadata['source_organization_url']
                    if not isinstance(data__sourcemetadata__sourceorganizationurl, str):
                        raise Invalid
                if 'source_organization_logo_url' in data__sourcemetadata_keys:
                    data__sourcemetadata_keys.remove('source_organization_logo_url')
                    data__sourcemetadata__sourceorganizationlogourl = data__sourcemetadata['source_organization_logo_url']
                    if not isinstance(data__sourcemetadata__sourceorganizationlogourl, str):
                        raise Invalid
                if 'evaluator_relationship' in data__sourcemetadata_keys:
                    data__sourcemetadata_keys.remove('evaluator_relationship')
                    data__sourcemetadata__evaluatorrelationship = data__sourcemetadata['evaluator_relationship']
                    if not isinstance(data__sourcemetadata__evaluatorrelationship, str):
                        raise Invalid
                    if not (isinstance(data__sourcemetadata__evaluatorrelationship, str) and data__sourcemetadata__evaluatorrelationship == 'first_party' or (isinstance(data__sourcemetadata__evaluatorrelationship, str) and data__sourcemetadata__evaluatorrelationship == 'third_party') or (isinstance(data__sourcemetadata__evaluatorrelationship, str) and data__sourcemetadata__evaluatorrelationship == 'collaborative') or (isinstance(data__sourcemetadata__evaluatorrelationship, str) and data__sourcemetadata__evaluatorrelationship == 'other')):
                        raise Invalid
                if 'additional_details' in data__sourcemetadata_keys:
                    data__sourcemetadata_keys.remove('additional_details')
                    data__sourcemetadata__additionaldetails = data__sourcemetadata['additional_details']
                    if not isinstance(data__sourcemetadata__additionaldetails, dict):
                        raise Invalid
                    data__sourcemetadata__additionaldetails_is_dict = isinstance(data__sourcemetadata__additionaldetails, dict)
                    if data__sourcemetadata__additionaldetails_is_dict:
                        data__sourcemetadata__additionaldetails_keys = set(data__sourcemetadata__additionaldetails.keys())
                        for data__sourcemetadata__additionaldetails_key in data__sourcemetadata__additionaldetails_keys:
                            if data__sourcemetadata__additionaldetails_key not in []:
                                data__sourcemetadata__additionaldetails_value = data__sourcemetadata__additionaldetails.get(data__sourcemetadata__additionaldetails_key)
                                if not isinstance(data__sourcemetadata__additionaldetails_value, str):
                                    raise Invalid
        if 'eval_library' in data_keys:
            data_keys.remove('eval_library')
            data__evallibrary = data['eval_library']
            if not isinstance(data__evallibrary, dict):
                raise Invalid
            data__evallibrary_is_dict = isinstance(data__evallibrary, dict)
            if data__evallibrary_is_dict:
                data__evallibrary__missing_keys = set(['name', 'version']) - data__evallibrary.keys()
                if data__evallibrary__missing_keys:
                    raise Invalid
                data__evallibrary_keys = set(data__evallibrary.keys())
                if 'name' in data__evallibrary_keys:
                    data__evallibrary_keys.remove('name')
                    data__evallibrary__name = data__evallibrary['name']
                    if not isinstance(data__evallibrary__name, str):
                        raise Invalid
                if 'version' in data__evallibrary_keys:
                    data__evallibrary_keys.remove('version')
                    data__evallibrary__version = data__evallibrary['version']
                    if not isinstance(data__evallibrary__version, str):
                        raise Invalid
                if 'additional_details' in data__evallibrary_keys:
                    data__evallibrary_keys.remove('additional_details')
                    data__evallibrary__additionaldetails = data__evallibrary['additional_details']
                    if not isinstance(data__evallibrary__additionaldetails, dict):
                        raise Invalid
                    data__evallibrary__additionaldetails_is_dict = isinstance(data__evallibrary__additionaldetails, dict)
                    if data__evallibrary__additionaldetails_is_dict:
                        data__evallibrary__additionaldetails_keys = set(data__evallibrary__additionaldetails.keys())
                        for data__evallibrary__additionaldetails_key in data__evallibrary__additionaldetails_keys:
                            if data__evallibrary__additionaldetails_key not in []:
                                data__evallibrary__additionaldetails_value = data__evallibrary__additionaldetails.get(data__evallibrary__additionaldetails_key)
                                if not isinstance(data__evallibrary__additionaldetails_value, str):
                                    raise Invalid
        if 'model_info' in data_keys:
            data_keys.remove('model_info')
            data__modelinfo = data['model_info']
            validate_model_info(data__modelinfo)
        if 'evaluation_results' in data_keys:
            data_keys.remove('evaluation_results')
            data__evaluationresults = data['evaluation_results']
            if not isinstance(data__evaluationresults, (list, tuple)):
                raise Invalid
            data__evaluationresults_is_list = isinstance(data__evaluationresults, (list, tuple))
            if data__evaluationresults_is_list:
                data__evaluationresults_len = len(data__evaluationresults)
                for data__evaluationresults_x, data__evaluationresults_item in enumerate(data__evaluationresults):
                    if not isinstance(data__evaluationresults_item, dict):
                        raise Invalid
                    data__evaluationresults_item_is_dict = isinstance(data__evaluationresults_item, dict)
                    if data__evaluationresults_item_is_dict:
                        data__evaluationresults_item__missing_keys = set(['evaluation_name', 'source_data', 'metric_config', 'score_details']) - data__evaluationresults_item.keys()
                        if data__evaluationresults_item__missing_keys:
                            raise Invalid
                        data__evaluationresults_item_keys = set(data__evaluationresults_item.keys())
                        if 'evaluation_result_id' in data__evaluationresults_item_keys:
                            data__evaluationresults_item_keys.remove('evaluation_result_id')
                            data__evaluationresults_item__evaluationresultid = data__evaluationresults_item['evaluation_result_id']
                            if not isinstance(data__evaluationresults_item__evaluationresultid, str):
                                raise Invalid
                        if 'evaluation_name' in data__evaluationresults_item_keys:
                            data__evaluationresults_item_keys.remove('evaluation_name')
                            data__evaluationresults_item__evaluationname = data__evaluationresults_item['evaluation_name']
                            if not isinstance(data__evaluationresults_item__evaluationname, str):
                                raise Invalid
                        if 'source_data' in data__evaluationresults_item_keys:
                            data__evaluationresults_item_keys.remove('source_data')
                            data__evaluationresults_item__sourcedata = data__evaluationresults_item['source_data']
                            data__evaluationresults_item__sourcedata_one_of_count1 = 0
                            if data__evaluationresults_item__sourcedata_one_of_count1 < 2:
                                try:
                                    validate_source_data_url(data__evaluationresults_item__sourcedata)
                                    data__evaluationresults_item__sourcedata_one_of_count1 += 1
                                except (Invalid,):
                                    pass
                            if data__evaluationresults_item__sourcedata_one_of_count1 < 2:
                                try:
                                    validate_source_data_hf(data__evaluationresults_item__sourcedata)
                                    data__evaluationresults_item__sourcedata_one_of_count1 += 1
                                except (Invalid,):
                                    pass
                            if data__evaluationresults_item__sourcedata_one_of_count1 < 2:
                                try:
                                    validate_source_data_private(data__evaluationresults_item__sourcedata)
                                    data__evaluationresults_item__sourcedata_one_of_count1 += 1
                                except (Invalid,):
                                    pass
                            if data__evaluationresults_item__sourcedata_one_of_count1 != 1:
                                raise Invalid
                        if 'evaluation_timestamp' in data__evaluationresults_item_keys:
                            data__evaluationresults_item_keys.remove('evaluation_timestamp')
                            data__evaluationresults_item__evaluationtimestamp = data__evaluationresults_item['evaluation_timestamp']
                            if not isinstance(data__evaluationresults_item__evaluationtimestamp, str):
                                raise Invalid
                        if 'metric_config' in data__evaluationresults_item_keys:
                            data__evaluationresults_item_keys.remove('metric_config')
                            data__evaluationresults_item__metricconfig = data__evaluationresults_item['metric_config']
                            if not isinstance(data__evaluationresults_item__metricconfig, dict):
                                raise Invalid
                            data__evaluationresults_item__metricconfig_is_dict = isinstance(data__evaluationresults_item__metricconfig, dict)
                            if data__evaluationresults_item__metricconfig_is_dict:
                                data__evaluationresults_item__metricconfig__missing_keys = set(['lower_is_better']) - data__evaluationresults_item__metricconfig.keys()
                                if data__evaluationresults_item__metricconfig__missing_keys:
                                    raise Invalid
                                data__evaluationresults_item__metricconfig_keys = set(data__evaluationresults_item__metricconfig.keys())
                                if 'evaluation_description' in data__evaluationresults_item__metricconfig_keys:
                                    data__evaluationresults_item__metricconfig_keys.remove('evaluation_description')
                                    data__evaluationresults_item__metricconfig__evaluationdescription = data__evaluationresults_item__metricconfig['evaluation_description']
                                    if not isinstance(data__evaluationresults_item__metricconfig__evaluationdescription, str):
                                        raise Invalid
                                if 'metric_id' in data__evaluationresults_item__metricconfig_keys:
                                    data__evaluationresults_item__metricconfig_keys.remove('metric_id')
                                    data__evaluationresults_item__metricconfig__metricid = data__evaluationresults_item__metricconfig['metric_id']
                                    if not isinstance(data__evaluationresults_item__metricconfig__metricid, str):
                                        raise Invalid
                                if 'metric_name' in data__evaluationresults_item__metricconfig_keys:
                                    data__evaluationresults_item__metricconfig_keys.remove('metric_name')
                                    data__evaluationresults_item__metricconfig__metricname = data__evaluationresults_item__metricconfig['metric_name']
                                    if not isinstance(data__evaluationresults_item__metricconfig__metricname, str):
                                        raise Invalid
                                if 'metric_kind' in data__evaluationresults_item__metricconfig_keys:
                                    data__evaluationresults_item__metricconfig_keys.remove('metric_kind')
                                    data__evaluationresults_item__metricconfig__metrickind = data__evaluationresults_item__metricconfig['metric_kind']
                                    if not isinstance(data__evaluationresults_item__metricconfig__metrickind, str):
                                        raise Invalid
                                if 'metric_unit' in data__evaluationresults_item__metricconfig_keys:
                                    data__evaluationresults_item__metricconfig_keys.remove('metric_unit')
                                    data__evaluationresults_item__metricconfig__metricunit = data__evaluationresults_item__metricconfig['metric_unit']
                                    if not isinstance(data__evaluationresults_item__metricconfig__metricunit, str):
                                        raise Invalid
                                if 'metric_parameters' in data__evaluationresults_item__metricconfig_keys:
                                    data__evaluationresults_item__metricconfig_keys.remove('metric_parameters')
                                    data__evaluationresults_item__metricconfig__metricparameters = data__evaluationresults_item__metricconfig['metric_parameters']
                                    if not isinstance(data__evaluationresults_item__metricconfig__metricparameters, dict):
                                        raise Invalid
                                    data__evaluationresults_item__metricconfig__metricparameters_is_dict = isinstance(data__evaluationresults_item__metricconfig__metricparameters, dict)
                                    if data__evaluationresults_item__metricconfig__metricparameters_is_dict:
                                        data__evaluationresults_item__metricconfig__metricparameters_keys = set(data__evaluationresults_item__metricconfig__metricparameters.keys())
                                        for data__evaluationresults_item__metricconfig__metricparameters_key in data__evaluationresults_item__metricconfig__metricparameters_keys:
                                            if data__evaluationresults_item__metricconfig__metricparameters_key not in []:
                                                data__evaluationresults_item__metricconfig__metricparameters_value = data__evaluationresults_item__metricconfig__metricparameters.get(data__evaluationresults_item__metricconfig__metricparameters_key)
                                                if not isinstance(data__evaluationresults_item__metricconfig__metricparameters_value, (str, int, float, bool, NoneType)):
                                                    raise Invalid
                                if 'lower_is_better' in data__evaluationresults_item__metricconfig_keys:
                                    data__evaluationresults_item__metricconfig_keys.remove('lower_is_better')
                                    data__evaluationresults_item__metricconfig__lowerisbetter = data__evaluationresults_item__metricconfig['lower_is_better']
                                    if not isinstance(data__evaluationresults_item__metricconfig__lowerisbetter, bool):
                                        raise Invalid
                                if 'score_type' in data__evaluationresults_item__metricconfig_keys:
                                    data__evaluationresults_item__metricconfig_keys.remove('score_type')
                                    data__evaluationresults_item__metricconfig__scoretype = data__evaluationresults_item__metricconfig['score_type']
                                    if not isinstance(data__evaluationresults_item__metricconfig__scoretype, str):
                                        raise Invalid
                                    if not (isinstance(data__evaluationresults_item__metricconfig__scoretype, str) and data__evaluationresults_item__metricconfig__scoretype == 'binary' or (isinstance(data__evaluationresults_item__metricconfig__scoretype, str) and data__evaluationresults_item__metricconfig__scoretype == 'continuous') or (isinstance(data__evaluationresults_item__metricconfig__scoretype, str) and data__evaluationresults_item__metricconfig__scoretype == 'levels')):
                                        raise Invalid
                                if 'level_names' in data__evaluationresults_item__metricconfig_keys:
                                    data__evaluationresults_item__metricconfig_keys.remove('level_names')
                                    data__evaluationresults_item__metricconfig__levelnames = data__evaluationresults_item__metricconfig['level_names']
                                    if not isinstance(data__evaluationresults_item__metricconfig__levelnames, (list, tuple)):
                                        raise Invalid
                                    data__evaluationresults_item__metricconfig__levelnames_is_list = isinstance(data__evaluationresults_item__metricconfig__levelnames, (list, tuple))
                                    if data__evaluationresults_item__metricconfig__levelnames_is_list:
                                        data__evaluationresults_item__metricconfig__levelnames_len = len(data__evaluationresults_item__metricconfig__levelnames)
                                        for data__evaluationresults_item__metricconfig__levelnames_x, data__evaluationresults_item__metricconfig__levelnames_item in enumerate(data__evaluationresults_item__metricconfig__levelnames):
                                            if not isinstance(data__evaluationresults_item__metricconfig__levelnames_item, str):
                                                raise Invalid
                                if 'level_metadata' in data__evaluationresults_item__metricconfig_keys:
                                    data__evaluationresults_item__metricconfig_keys.remove('level_metadata')
                                    data__evaluationresults_item__metricconfig__levelmetadata = data__evaluationresults_item__metricconfig['level_metadata']
                                    if not isinstance(data__evaluationresults_item__metricconfig__levelmetadata, (list, tuple)):
                                        raise Invalid
                                    data__evaluationresults_item__metricconfig__levelmetadata_is_list = isinstance(data__evaluationresults_item__metricconfig__levelmetadata, (list, tuple))
                                    if data__evaluationresults_item__metricconfig__levelmetadata_is_list:
                                        data__evaluationresults_item__metricconfig__levelmetadata_len = len(data__evaluationresults_item__metricconfig__levelmetadata)
                                        for data__evaluationresults_item__metricconfig__levelmetadata_x, data__evaluationresults_item__metricconfig__levelmetadata_item in enumerate(data__evaluationresults_item__metricconfig__levelmetadata):
                                            if not isinstance(data__evaluationresults_item__metricconfig__levelmetadata_item, str):
                                                raise Invalid
                                if 'has_unknown_level' in data__evaluationresults_item__metricconfig_keys:
                                    data__evaluationresults_item__metricconfig_keys.remove('has_unknown_level')
                                    data__evaluationresults_item__metricconfig__hasunknownlevel = data__evaluationresults_item__metricconfig['has_unknown_level']
                                    if not isinstance(data__evaluationresults_item__metricconfig__hasunknownlevel, bool):
                                        raise Invalid
                                if 'min_score' in data__evaluationresults_item__metricconfig_keys:
                                    data__evaluationresults_item__metricconfig_keys.remove('min_score')
                                    data__evaluationresults_item__metricconfig__minscore = data__evaluationresults_item__metricconfig['min_score']
                                    if not isinstance(data__evaluationresults_item__metricconfig__minscore, (int, float)) or isinstance(data__evaluationresults_item__metricconfig__minscore, bool):
                                        raise Invalid
                                if 'max_score' in data__evaluationresults_item__metricconfig_keys:
                                    data__evaluationresults_item__metricconfig_keys.remove('max_score')
                                    data__evaluationresults_item__metricconfig__maxscore = data__evaluationresults_item__metricconfig['max_score']
                                    if not isinstance(data__evaluationresults_item__metricconfig__maxscore, (int, float)) or isinstance(data__evaluationresults_item__metricconfig__maxscore, bool):
                                        raise Invalid
                                if 'llm_scoring' in data__evaluationresults_item__metricconfig_keys:
                                    data__evaluationresults_item__metricconfig_keys.remove('llm_scoring')
                                    data__evaluationresults_item__metricconfig__llmscoring = data__evaluationresults_item__metricconfig['llm_scoring']
                                    if not isinstance(data__evaluationresults_item__metricconfig__llmscoring, dict):
                                        raise Invalid
                                    data__evaluationresults_item__metricconfig__llmscoring_is_dict = isinstance(data__evaluationresults_item__metricconfig__llmscoring, dict)
                                    if data__evaluationresults_item__metricconfig__llmscoring_is_dict:
                                        data__evaluationresults_item__metricconfig__llmscoring__missing_keys = set(['judges', 'input_prompt']) - data__evaluationresults_item__metricconfig__llmscoring.keys()
                                        if data__evaluationresults_item__metricconfig__llmscoring__missing_keys:
                                            raise Invalid
                                        data__evaluationresults_item__metricconfig__llmscoring_keys = set(data__evaluationresults_item__metricconfig__llmscoring.keys())
                                        if 'judges' in data__evaluationresults_item__metricconfig__llmscoring_keys:
                                            data__evaluationresults_item__metricconfig__llmscoring_keys.remove('judges')
                                            data__evaluationresults_item__metricconfig__llmscoring__judges = data__evaluationresults_item__metricconfig__llmscoring['judges']
                                            if not isinstance(data__evaluationresults_item__metricconfig__llmscoring__judges, (list, tuple)):
                                                raise Invalid
                                            data__evaluationresults_item__metricconfig__llmscoring__judges_is_list = isinstance(data__evaluationresults_item__metricconfig__llmscoring__judges, (list, tuple))
                                            if data__evaluationresults_item__metricconfig__llmscoring__judges_is_list:
                                                data__evaluationresults_item__metricconfig__llmscoring__judges_len = len(data__evaluationresults_item__metricconfig__llmscoring__judges)
                                                if data__evaluationresults_item__metricconfig__llmscoring__judges_len < 1:
                                                    raise Invalid
                                                for data__evaluationresults_item__metricconfig__llmscoring__judges_x, data__evaluationresults_item__metricconfig__llmscoring__judges_item in enumerate(data__evaluationresults_item__metricconfig__llmscoring__judges):
                                                    validate_judge_config(data__evaluationresults_item__metricconfig__llmscoring__judges_item)
                                        if 'input_prompt' in data__evaluationresults_item__metricconfig__llmscoring_keys:
                                            data__evaluationresults_item__metricconfig__llmscoring_keys.remove('input_prompt')
                                            data__evaluationresults_item__metricconfig__llmscoring__inputprompt = data__evaluationresults_item__metricconfig__llmscoring['input_prompt']
                                            if not isinstance(data__evaluationresults_item__metricconfig__llmscoring__inputprompt, str):
                                                raise Invalid
                                        if 'aggregation_method' in data__evaluationresults_item__metricconfig__llmscoring_keys:
                                            data__evaluationresults_item__metricconfig__llmscoring_keys.remove('aggregation_method')
                                            data__evaluationresults_item__metricconfig__llmscoring__aggregationmethod = data__evaluationresults_item__metricconfig__llmscoring['aggregation_method']
                                            if not isinstance(data__evaluationresults_item__metricconfig__llmscoring__aggregationmethod, str):
                                                raise Invalid
                                            if not (isinstance(data__evaluationresults_item__metricconfig__llmscoring__aggregationmethod, str) and data__evaluationresults_item__metricconfig__llmscoring__aggregationmethod == 'majority_vote' or (isinstance(data__evaluationresults_item__metricconfig__llmscoring__aggregationmethod, str) and data__evaluationresults_item__metricconfig__llmscoring__aggregationmethod == 'average') or (isinstance(data__evaluationresults_item__metricconfig__llmscoring__aggregationmethod, str) and data__evaluationresults_item__metricconfig__llmscoring__aggregationmethod == 'weighted_average') or (isinstance(data__evaluationresults_item__metricconfig__llmscoring__aggregationmethod, str) and data__evaluationresults_item__metricconfig__llmscoring__aggregationmethod == 'median')):
                                                raise Invalid
                                        if 'expert_baseline' in data__evaluationresults_item__metricconfig__llmscoring_keys:
                                            data__evaluationresults_item__metricconfig__llmscoring_keys.remove('expert_baseline')
                                            data__evaluationresults_item__metricconfig__llmscoring__expertbaseline = data__evaluationresults_item__metricconfig__llmscoring['expert_baseline']
                                            if not isinstance(data__evaluationresults_item__metricconfig__llmscoring__expertbaseline, (int, float)) or isinstance(data__evaluationresults_item__metricconfig__llmscoring__expertbaseline, bool):
                                                raise Invalid
                                        if 'additional_details' in data__evaluationresults_item__metricconfig__llmscoring_keys:
                                            data__evaluationresults_item__metricconfig__llmscoring_keys.remove('additional_details')
                                            data__evaluationresults_item__metricconfig__llmscoring__additionaldetails = data__evaluationresults_item__metricconfig__llmscoring['additional_details']
                                            if not isinstance(data__evaluationresults_item__metricconfig__llmscoring__additionaldetails, dict):
                                                raise Invalid
                                            data__evaluationresults_item__metricconfig__llmscoring__additionaldetails_is_dict = isinstance(data__evaluationresults_item__metricconfig__llmscoring__additionaldetails, dict)
                                            if data__evaluationresults_item__metricconfig__llmscoring__additionaldetails_is_dict:
                                                data__evaluationresults_item__metricconfig__llmscoring__additionaldetails_keys = set(data__evaluationresults_item__metricconfig__llmscoring__additionaldetails.keys())
                                                for data__evaluationresults_item__metricconfig__llmscoring__additionaldetails_key in data__evaluationresults_item__metricconfig__llmscoring__additionaldetails_keys:
                                                    if data__evaluationresults_item__metricconfig__llmscoring__additionaldetails_key not in []:
                                                        data__evaluationresults_item__metricconfig__llmscoring__additionaldetails_value = data__evaluationresults_item__metricconfig__llmscoring__additionaldetails.get(data__evaluationresults_item__metricconfig__llmscoring__additionaldetails_key)
                                                        if not isinstance(data__evaluationresults_item__metricconfig__llmscoring__additionaldetails_value, str):
                                                            raise Invalid
                                if 'additional_details' in data__evaluationresults_item__metricconfig_keys:
                                    data__evaluationresults_item__metricconfig_keys.remove('additional_details')
                                    data__evaluationresults_item__metricconfig__additionaldetails = data__evaluationresults_item__metricconfig['additional_details']
                                    if not isinstance(data__evaluationresults_item__metricconfig__additionaldetails, dict):
                                        raise Invalid
                                    data__evaluationresults_item__metricconfig__additionaldetails_is_dict = isinstance(data__evaluationresults_item__metricconfig__additionaldetails, dict)
                                    if data__evaluationresults_item__metricconfig__additionaldetails_is_dict:
                                        data__evaluationresults_item__metricconfig__additionaldetails_keys = set(data__evaluationresults_item__metricconfig__additionaldetails.keys())
                                        for data__evaluationresults_item__metricconfig__additionaldetails_key in data__evaluationresults_item__metricconfig__additionaldetails_keys:
                                            if data__evaluationresults_item__metricconfig__additionaldetails_key not in []:
                                                data__evaluationresults_item__metricconfig__additionaldetails_value = data__evaluationresults_item__metricconfig__additionaldetails.get(data__evaluationresults_item__metricconfig__additionaldetails_key)
                                                if not isinstance(data__evaluationresults_item__metricconfig__additionaldetails_value, str):
                                                    raise Invalid
                            try:
                                data__evaluationresults_item__metricconfig_is_dict = isinstance(data__evaluationresults_item__metricconfig, dict)
                                if data__evaluationresults_item__metricconfig_is_dict:
                                    data__evaluationresults_item__metricconfig_keys = set(data__evaluationresults_item__metricconfig.keys())
                                    if 'score_type' in data__evaluationresults_item__metricconfig_keys:
                                        data__evaluationresults_item__metricconfig_keys.remove('score_type')
                                        data__evaluationresults_item__metricconfig__scoretype = data__evaluationresults_item__metricconfig['score_type']
                                        if not (isinstance(data__evaluationresults_item__metricconfig__scoretype, str) and data__evaluationresults_item__metricconfig__scoretype == 'levels'):
                                            raise Invalid
                            except (Invalid,):
                                try:
                                    data__evaluationresults_item__metricconfig_is_dict = isinstance(data__evaluationresults_item__metricconfig, dict)
                                    if data__evaluationresults_item__metricconfig_is_dict:
                                        data__evaluationresults_item__metricconfig_keys = set(data__evaluationresults_item__metricconfig.keys())
                                        if 'score_type' in data__evaluationresults_item__metricconfig_keys:
                                            data__evaluationresults_item__metricconfig_keys.remove('score_type')
                                            data__evaluationresults_item__metricconfig__scoretype = data__evaluationresults_item__metricconfig['score_type']
                                            if not (isinstance(data__evaluationresults_item__metricconfig__scoretype, str) and data__evaluationresults_item__metricconfig__scoretype == 'continuous'):
                                                raise Invalid
                                except (Invalid,):
                                    pass
                                else:
                                    data__evaluationresults_item__metricconfig_is_dict = isinstance(data__evaluationresults_item__metricconfig, dict)
                                    if data__evaluationresults_item__metricconfig_is_dict:
                                        data__evaluationresults_item__metricconfig__missing_keys = set(['min_score', 'max_score']) - data__evaluationresults_item__metricconfig.keys()
                                        if data__evaluationresults_item__metricconfig__missing_keys:
                                            raise Invalid
                            else:
                                data__evaluationresults_item__metricconfig_is_dict = isinstance(data__evaluationresults_item__metricconfig, dict)
                                if data__evaluationresults_item__metricconfig_is_dict:
                                    data__evaluationresults_item__metricconfig__missing_keys = set(['level_names', 'has_unknown_level']) - data__evaluationresults_item__metricconfig.keys()
                                    if data__evaluationresults_item__metricconfig__missing_keys:
                                        raise Invalid
                        if 'score_details' in data__evaluationresults_item_keys:
                            data__evaluationresults_item_keys.remove('score_details')
                            data__evaluationresults_item__scoredetails = data__evaluationresults_item['score_details']
                            if not isinstance(data__evaluationresults_item__scoredetails, dict):
                                raise Invalid
                            data__evaluationresults_item__scoredetails_is_dict = isinstance(data__evaluationresults_item__scoredetails, dict)
                            if data__evaluationresults_item__scoredetails_is_dict:
                                data__evaluationresults_item__scoredetails__missing_keys = set(['score']) - data__evaluationresults_item__scoredetails.keys()
                                if data__evaluationresults_item__scoredetails__missing_keys:
                                    raise Invalid
                                data__evaluationresults_item__scoredetails_keys = set(data__evaluationresults_item__scoredetails.keys())
                                if 'score' in data__evaluationresults_item__scoredetails_keys:
                                    data__evaluationresults_item__scoredetails_keys.remove('score')
                                    data__evaluationresults_item__scoredetails__score = data__evaluationresults_item__scoredetails['score']
                                    if not isinstance(data__evaluationresults_item__scoredetails__score, (int, float)) or isinstance(data__evaluationresults_item__scoredetails__score, bool):
                                        raise Invalid
                                if 'details' in data__evaluationresults_item__scoredetails_keys:
                                    data__evaluationresults_item__scoredetails_keys.remove('details')
                                    data__evaluationresults_item__scoredetails__details = data__evaluationresults_item__scoredetails['details']
                                    if not isinstance(data__evaluationresults_item__scoredetails__details, dict):
                                        raise Invalid
                                    data__evaluationresults_item__scoredetails__details_is_dict = isinstance(data__evaluationresults_item__scoredetails__details, dict)
                                    if data__evaluationresults_item__scoredetails__details_is_dict:
                                        data__evaluationresults_item__scoredetails__details_keys = set(data__evaluationresults_item__scoredetails__details.keys())
                                        for data__evaluationresults_item__scoredetails__details_key in data__evaluationresults_item__scoredetails__details_keys:
                                            if data__evaluationresults_item__scoredetails__details_key not in []:
                                                data__evaluationresults_item__scoredetails__details_value = data__evaluationresults_item__scoredetails__details.get(data__evaluationresults_item__scoredetails__details_key)
                                                if not isinstance(data__evaluationresults_item__scoredetails__details_value, str):
                                                    raise Invalid
                                if 'uncertainty' in data__evaluationresults_item__scoredetails_keys:
                                    data__evaluationresults_item__scoredetails_keys.remove('uncertainty')
                                    data__evaluationresults_item__scoredetails__uncertainty = data__evaluationresults_item__scoredetails['uncertainty']
                                    if not isinstance(data__evaluationresults_item__scoredetails__uncertainty, dict):
                                        raise Invalid
                                    data__evaluationresults_item__scoredetails__uncertainty_is_dict = isinstance(data__evaluationresults_item__scoredetails__uncertainty, dict)
                                    if data__evaluationresults_item__scoredetails__uncertainty_is_dict:
                                        data__evaluationresults_item__scoredetails__uncertainty_keys = set(data__evaluationresults_item__scoredetails__uncertainty.keys())
                                        if 'standard_error' in data__evaluationresults_item__scoredetails__uncertainty_keys:
                                            data__evaluationresults_item__scoredetails__uncertainty_keys.remove('standard_error')
                                            data__evaluationresults_item__scoredetails__uncertainty__standarderror = data__evaluationresults_item__scoredetails__uncertainty['standard_error']
                                            if not isinstance(data__evaluationresults_item__scoredetails__uncertainty__standarderror, dict):
                                                raise Invalid
                                            data__evaluationresults_item__scoredetails__uncertainty__standarderror_is_dict = isinstance(data__evaluationresults_item__scoredetails__uncertainty__standarderror, dict)
                                            if data__evaluationresults_item__scoredetails__uncertainty__standarderror_is_dict:
                                                data__evaluationresults_item__scoredetails__uncertainty__standarderror__missing_keys = set(['value']) - data__evaluationresults_item__scoredetails__uncertainty__standarderror.keys()
                                                if data__evaluationresults_item__scoredetails__uncertainty__standarderror__missing_keys:
                                                    raise Invalid
                                                data__evaluationresults_item__scoredetails__uncertainty__standarderror_keys = set(data__evaluationresults_item__scoredetails__uncertainty__standarderror.keys())
                                                if 'value' in data__evaluationresults_item__scoredetails__uncertainty__standarderror_keys:
                                                    data__evaluationresults_item__scoredetails__uncertainty__standarderror_keys.remove('value')
                                                    data__evaluationresults_item__scoredetails__uncertainty__standarderror__value = data__evaluationresults_item__scoredetails__uncertainty__standarderror['value']
                                                    if not isinstance(data__evaluationresults_item__scoredetails__uncertainty__standarderror__value, (int, float)) or isinstance(data__evaluationresults_item__scoredetails__uncertainty__standarderror__value, bool):
                                                        raise Invalid
                                                if 'method' in data__evaluationresults_item__scoredetails__uncertainty__standarderror_keys:
                                                    data__evaluationresults_item__scoredetails__uncertainty__standarderror_keys.remove('method')
                                                    data__evaluationresults_item__scoredetails__uncertainty__standarderror__method = data__evaluationresults_item__scoredetails__uncertainty__standarderror['method']
                                                    if not isinstance(data__evaluationresults_item__scoredetails__uncertainty__standarderror__method, str):
                                                        raise Invalid
                                        if 'confidence_interval' in data__evaluationresults_item__scoredetails__uncertainty_keys:
                                            data__evaluationresults_item__scoredetails__uncertainty_keys.remove('confidence_interval')
                                            data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval = data__evaluationresults_item__scoredetails__uncertainty['confidence_interval']
                                            if not isinstance(data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval, dict):
                                                raise Invalid
                                            data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval_is_dict = isinstance(data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval, dict)
                                            if data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval_is_dict:
                                                data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval__missing_keys = set(['lower', 'upper']) - data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval.keys()
                                                if data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval__missing_keys:
                                                    raise Invalid
                                                data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval_keys = set(data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval.keys())
                                                if 'lower' in data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval_keys:
                                                    data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval_keys.remove('lower')
                                                    data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval__lower = data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval['lower']
                                                    if not isinstance(data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval__lower, (int, float)) or isinstance(data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval__lower, bool):
                                                        raise Invalid
                                                if 'upper' in data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval_keys:
                                                    data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval_keys.remove('upper')
                                                    data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval__upper = data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval['upper']
                                                    if not isinstance(data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval__upper, (int, float)) or isinstance(data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval__upper, bool):
                                                        raise Invalid
                                                if 'confidence_level' in data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval_keys:
                                                    data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval_keys.remove('confidence_level')
                                                    data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval__confidencelevel = data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval['confidence_level']
                                                    if not isinstance(data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval__confidencelevel, (int, float)) or isinstance(data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval__confidencelevel, bool):
                                                        raise Invalid
                                                    if isinstance(data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval__confidencelevel, (int, float)) and (not isinstance(data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval__confidencelevel, bool)):
                                                        if data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval__confidencelevel < 0:
                                                            raise Invalid
                                                        if data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval__confidencelevel > 1:
                                                            raise Invalid
                                                if 'method' in data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval_keys:
                                                    data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval_keys.remove('method')
                                                    data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval__method = data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval['method']
                                                    if not isinstance(data__evaluationresults_item__scoredetails__uncertainty__confidenceinterval__method, str):
                                                        raise Invalid
                                        if 'standard_deviation' in data__evaluationresults_item__scoredetails__uncertainty_keys:
                                            data__evaluationresults_item__scoredetails__uncertainty_keys.remove('standard_deviation')
                                            data__evaluationresults_item__scoredetails__uncertainty__standarddeviation = data__evaluationresults_item__scoredetails__uncertainty['standard_deviation']
                                            if not isinstance(data__evaluationresults_item__scoredetails__uncertainty__standarddeviation, (int, float)) or isinstance(data__evaluationresults_item__scoredetails__uncertainty__standarddeviation, bool):
                                                raise Invalid
                                        if 'num_samples' in data__evaluationresults_item__scoredetails__uncertainty_keys:
                                            data__evaluationresults_item__scoredetails__uncertainty_keys.remove('num_samples')
                                            data__evaluationresults_item__scoredetails__uncertainty__numsamples = data__evaluationresults_item__scoredetails__uncertainty['num_samples']
                                            if not isinstance(data__evaluationresults_item__scoredetails__uncertainty__numsamples, int) and (not (isinstance(data__evaluationresults_item__scoredetails__uncertainty__numsamples, float) and data__evaluationresults_item__scoredetails__uncertainty__numsamples.is_integer())) or isinstance(data__evaluationresults_item__scoredetails__uncertainty__numsamples, bool):
                                                raise Invalid
                                        if 'num_bootstrap_samples' in data__evaluationresults_item__scoredetails__uncertainty_keys:
                                            data__evaluationresults_item__scoredetails__uncertainty_keys.remove('num_bootstrap_samples')
                                            data__evaluationresults_item__scoredetails__uncertainty__numbootstrapsamples = data__evaluationresults_item__scoredetails__uncertainty['num_bootstrap_samples']
                                            if not isinstance(data__evaluationresults_item__scoredetails__uncertainty__numbootstrapsamples, int) and (not (isinstance(data__evaluationresults_item__scoredetails__uncertainty__numbootstrapsamples, float) and data__evaluationresults_item__scoredetails__uncertainty__numbootstrapsamples.is_integer())) or isinstance(data__evaluationresults_item__scoredetails__uncertainty__numbootstrapsamples, bool):
                                                raise Invalid
                        if 'generation_config' in data__evaluationresults_item_keys:
                            data__evaluationresults_item_keys.remove('generation_config')
                            data__evaluationresults_item__generationconfig = data__evaluationresults_item['generation_config']
                            if not isinstance(data__evaluationresults_item__generationconfig, dict):
                                raise Invalid
                            data__evaluationresults_item__generationconfig_is_dict = isinstance(data__evaluationresults_item__generationconfig, dict)
                            if data__evaluationresults_item__generationconfig_is_dict:
                                data__evaluationresults_item__generationconfig_keys = set(data__evaluationresults_item__generationconfig.keys())
                                if 'generation_args' in data__evaluationresults_item__generationconfig_keys:
                                    data__evaluationresults_item__generationconfig_keys.remove('generation_args')
                                    data__evaluationresults_item__generationconfig__generationargs = data__evaluationresults_item__generationconfig['generation_args']
                                    if not isinstance(data__evaluationresults_item__generationconfig__generationargs, dict):
                                        raise Invalid
                                    data__evaluationresults_item__generationconfig__generationargs_is_dict = isinstance(data__evaluationresults_item__generationconfig__generationargs, dict)
                                    if data__evaluationresults_item__generationconfig__generationargs_is_dict:
                                        data__evaluationresults_item__generationconfig__generationargs_keys = set(data__evaluationresults_item__generationconfig__generationargs.keys())
                                        if 'temperature' in data__evaluationresults_item__generationconfig__generationargs_keys:
                                            data__evaluationresults_item__generationconfig__generationargs_keys.remove('temperature')
                                            data__evaluationresults_item__generationconfig__generationargs__temperature = data__evaluationresults_item__generationconfig__generationargs['temperature']
                                            if not isinstance(data__evaluationresults_item__generationconfig__generationargs__temperature, (NoneType, int, float)) or isinstance(data__evaluationresults_item__generationconfig__generationargs__temperature, bool):
                                                raise Invalid
                                        if 'top_p' in data__evaluationresults_item__generationconfig__generationargs_keys:
                                            data__evaluationresults_item__generationconfig__generationargs_keys.remove('top_p')
                                            data__evaluationresults_item__generationconfig__generationargs__topp = data__evaluationresults_item__generationconfig__generationargs['top_p']
                                            if not isinstance(data__evaluationresults_item__generationconfig__generationargs__topp, (NoneType, int, float)) or isinstance(data__evaluationresults_item__generationconfig__generationargs__topp, bool):
                                                raise Invalid
                                        if 'top_k' in data__evaluationresults_item__generationconfig__generationargs_keys:
                                            data__evaluationresults_item__generationconfig__generationargs_keys.remove('top_k')
                                            data__evaluationresults_item__generationconfig__generationargs__topk = data__evaluationresults_item__generationconfig__generationargs['top_k']
                                            if not isinstance(data__evaluationresults_item__generationconfig__generationargs__topk, (NoneType, int, float)) or isinstance(data__evaluationresults_item__generationconfig__generationargs__topk, bool):
                                                raise Invalid
                                        if 'max_tokens' in data__evaluationresults_item__generationconfig__generationargs_keys:
                                            data__evaluationresults_item__generationconfig__generationargs_keys.remove('max_tokens')
                                            data__evaluationresults_item__generationconfig__generationargs__maxtokens = data__evaluationresults_item__generationconfig__generationargs['max_tokens']
                                            if not isinstance(data__evaluationresults_item__generationconfig__generationargs__maxtokens, int) and (not (isinstance(data__evaluationresults_item__generationconfig__generationargs__maxtokens, float) and data__evaluationresults_item__generationconfig__generationargs__maxtokens.is_integer())) or isinstance(data__evaluationresults_item__generationconfig__generationargs__maxtokens, bool):
                                                raise Invalid
                                            if isinstance(data__evaluationresults_item__generationconfig__generationargs__maxtokens, (int, float)) and (not isinstance(data__evaluationresults_item__generationconfig__generationargs__maxtokens, bool)):
                                                if data__evaluationresults_item__generationconfig__generationargs__maxtokens < 1:
                                                    raise Invalid
                                        if 'execution_command' in data__evaluationresults_item__generationconfig__generationargs_keys:
                                            data__evaluationresults_item__generationconfig__generationargs_keys.remove('execution_command')
                                            data__evaluationresults_item__generationconfig__generationargs__executioncommand = data__evaluationresults_item__generationconfig__generationargs['execution_command']
                                            if not isinstance(data__evaluationresults_item__generationconfig__generationargs__executioncommand, str):
                                                raise Invalid
                                        if 'reasoning' in data__evaluationresults_item__generationconfig__generationargs_keys:
                                            data__evaluationresults_item__generationconfig__generationargs_keys.remove('reasoning')
                                            data__evaluationresults_item__generationconfig__generationargs__reasoning = data__evaluationresults_item__generationconfig__generationargs['reasoning']
                                            if not isinstance(data__evaluationresults_item__generationconfig__generationargs__reasoning, bool):
                                                raise Invalid
                                        if 'prompt_template' in data__evaluationresults_item__generationconfig__generationargs_keys:
                                            data__evaluationresults_item__generationconfig__generationargs_keys.remove('prompt_template')
                                            data__evaluationresults_item__generationconfig__generationargs__prompttemplate = data__evaluationresults_item__generationconfig__generationargs['prompt_template']
                                            if not isinstance(data__evaluationresults_item__generationconfig__generationargs__prompttemplate, str):
                                                raise Invalid
                                        if 'agentic_eval_config' in data__evaluationresults_item__generationconfig__generationargs_keys:
                                            data__evaluationresults_item__generationconfig__generationargs_keys.remove('agentic_eval_config')
                                            data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig = data__evaluationresults_item__generationconfig__generationargs['agentic_eval_config']
                                            if not isinstance(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig, dict):
                                                raise Invalid
                                            data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig_is_dict = isinstance(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig, dict)
                                            if data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig_is_dict:
                                                data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig_keys = set(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig.keys())
                                                if 'available_tools' in data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig_keys:
                                                    data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig_keys.remove('available_tools')
                                                    data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools = data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig['available_tools']
                                                    if not isinstance(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools, (list, tuple)):
                                                        raise Invalid
                                                    data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_is_list = isinstance(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools, (list, tuple))
                                                    if data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_is_list:
                                                        data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_len = len(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools)
                                                        for data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_x, data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item in enumerate(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools):
                                                            if not isinstance(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item, dict):
                                                                raise Invalid
                                                            data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item_is_dict = isinstance(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item, dict)
                                                            if data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item_is_dict:
                                                                data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item_keys = set(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item.keys())
                                                                if 'name' in data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item_keys:
                                                                    data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item_keys.remove('name')
                                                                    data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item__name = data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item['name']
                                                                    if not isinstance(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item__name, str):
                                                                        raise Invalid
                                                                if 'description' in data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item_keys:
                                                                    data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item_keys.remove('description')
                                                                    data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item__description = data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item['description']
                                                                    if not isinstance(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item__description, str):
                                                                        raise Invalid
                                                                if 'parameters' in data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item_keys:
                                                                    data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item_keys.remove('parameters')
                                                                    data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item__parameters = data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item['parameters']
                                                                    if not isinstance(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item__parameters, dict):
                                                                        raise Invalid
                                                                    data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item__parameters_is_dict = isinstance(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item__parameters, dict)
                                                                    if data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item__parameters_is_dict:
                                                                        data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item__parameters_keys = set(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item__parameters.keys())
                                                                        for data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item__parameters_key in data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item__parameters_keys:
                                                                            if data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item__parameters_key not in []:
                                                                                data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item__parameters_value = data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item__parameters.get(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item__parameters_key)
                                                                                if not isinstance(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__availabletools_item__parameters_value, str):
                                                                                    raise Invalid
                                                if 'additional_details' in data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig_keys:
                                                    data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig_keys.remove('additional_details')
                                                    data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__additionaldetails = data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig['additional_details']
                                                    if not isinstance(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__additionaldetails, dict):
                                                        raise Invalid
                                                    data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__additionaldetails_is_dict = isinstance(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__additionaldetails, dict)
                                                    if data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__additionaldetails_is_dict:
                                                        data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__additionaldetails_keys = set(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__additionaldetails.keys())
                                                        for data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__additionaldetails_key in data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__additionaldetails_keys:
                                                            if data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__additionaldetails_key not in []:
                                                                data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__additionaldetails_value = data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__additionaldetails.get(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__additionaldetails_key)
                                                                if not isinstance(data__evaluationresults_item__generationconfig__generationargs__agenticevalconfig__additionaldetails_value, str):
                                                                    raise Invalid
                                        if 'eval_plan' in data__evaluationresults_item__generationconfig__generationargs_keys:
                                            data__evaluationresults_item__generationconfig__generationargs_keys.remove('eval_plan')
                                            data__evaluationresults_item__generationconfig__generationargs__evalplan = data__evaluationresults_item__generationconfig__generationargs['eval_plan']
                                            if not isinstance(data__evaluationresults_item__generationconfig__generationargs__evalplan, dict):
                                                raise Invalid
                                            data__evaluationresults_item__generationconfig__generationargs__evalplan_is_dict = isinstance(data__evaluationresults_item__generationconfig__generationargs__evalplan, dict)
                                            if data__evaluationresults_item__generationconfig__generationargs__evalplan_is_dict:
                                                data__evaluationresults_item__generationconfig__generationargs__evalplan_keys = set(data__evaluationresults_item__generationconfig__generationargs__evalplan.keys())
                                                if 'name' in data__evaluationresults_item__generationconfig__generationargs__evalplan_keys:
                                                    data__evaluationresults_item__generationconfig__generationargs__evalplan_keys.remove('name')
                                                    data__evaluationresults_item__generationconfig__generationargs__evalplan__name = data__evaluationresults_item__generationconfig__generationargs__evalplan['name']
                                                    if not isinstance(data__evaluationresults_item__generationconfig__generationargs__evalplan__name, str):
                                                        raise Invalid
                                                if 'steps' in data__evaluationresults_item__generationconfig__generationargs__evalplan_keys:
                                                    data__evaluationresults_item__generationconfig__generationargs__evalplan_keys.remove('steps')
                                                    data__evaluationresults_item__generationconfig__generationargs__evalplan__steps = data__evaluationresults_item__generationconfig__generationargs__evalplan['steps']
                                                    if not isinstance(data__evaluationresults_item__generationconfig__generationargs__evalplan__steps, (list, tuple)):
                                                        raise Invalid
                                                    data__evaluationresults_item__generationconfig__generationargs__evalplan__steps_is_list = isinstance(data__evaluationresults_item__generationconfig__generationargs__evalplan__steps, (list, tuple))
                                                    if data__evaluationresults_item__generationconfig__generationargs__evalplan__steps_is_list:
                                                        data__evaluationresults_item__generationconfig__generationargs__evalplan__steps_len = len(data__evaluationresults_item__generationconfig__generationargs__evalplan__steps)
                                                        for data__evaluationresults_item__generationconfig__generationargs__evalplan__steps_x, data__evaluationresults_item__generationconfig__generationargs__evalplan__steps_item in enumerate(data__evaluationresults_item__generationconfig__generationargs__evalplan__steps):
                                                            if not isinstance(data__evaluationresults_item__generationconfig__generationargs__evalplan__steps_item, str):
                                                                raise Invalid
                                                if 'config' in data__evaluationresults_item__generationconfig__generationargs__evalplan_keys:
                                                    data__evaluationresults_item__generationconfig__generationargs__evalplan_keys.remove('config')
                                                    data__evaluationresults_item__generationconfig__generationargs__evalplan__config = data__evaluationresults_item__generationconfig__generationargs__evalplan['config']
                                                    if not isinstance(data__evaluationresults_item__generationconfig__generationargs__evalplan__config, dict):
                                                        raise Invalid
                                                    data__evaluationresults_item__generationconfig__generationargs__evalplan__config_is_dict = isinstance(data__evaluationresults_item__generationconfig__generationargs__evalplan__config, dict)
                                                    if data__evaluationresults_item__generationconfig__generationargs__evalplan__config_is_dict:
                                                        data__evaluationresults_item__generationconfig__generationargs__evalplan__config_keys = set(data__evaluationresults_item__generationconfig__generationargs__evalplan__config.keys())
                                                        for data__evaluationresults_item__generationconfig__generationargs__evalplan__config_key in data__evaluationresults_item__generationconfig__generationargs__evalplan__config_keys:
                                                            if data__evaluationresults_item__generationconfig__generationargs__evalplan__config_key not in []:
                                                                data__evaluationresults_item__generationconfig__generationargs__evalplan__config_value = data__evaluationresults_item__generationconfig__generationargs__evalplan__config.get(data__evaluationresults_item__generationconfig__generationargs__evalplan__config_key)
                                                                if not isinstance(data__evaluationresults_item__generationconfig__generationargs__evalplan__config_value, str):
                                                                    raise Invalid
                                        if 'eval_limits' in data__evaluationresults_item__generationconfig__generationargs_keys:
                                            data__evaluationresults_item__generationconfig__generationargs_keys.remove('eval_limits')
                                            data__evaluationresults_item__generationconfig__generationargs__evallimits = data__evaluationresults_item__generationconfig__generationargs['eval_limits']
                                            if not isinstance(data__evaluationresults_item__generationconfig__generationargs__evallimits, dict):
                                                raise Invalid
                                            data__evaluationresults_item__generationconfig__generationargs__evallimits_is_dict = isinstance(data__evaluationresults_item__generationconfig__generationargs__evallimits, dict)
                                            if data__evaluationresults_item__generationconfig__generationargs__evallimits_is_dict:
                                                data__evaluationresults_item__generationconfig__generationargs__evallimits_keys = set(data__evaluationresults_item__generationconfig__generationargs__evallimits.keys())
                                                if 'time_limit' in data__evaluationresults_item__generationconfig__generationargs__evallimits_keys:
                                                    data__evaluationresults_item__generationconfig__generationargs__evallimits_keys.remove('time_limit')
                                                    data__evaluationresults_item__generationconfig__generationargs__evallimits__timelimit = data__evaluationresults_item__generationconfig__generationargs__evallimits['time_limit']
                                                    if not isinstance(data__evaluationresults_item__generationconfig__generationargs__evallimits__timelimit, int) and (not (isinstance(data__evaluationresults_item__generationconfig__generationargs__evallimits__timelimit, float) and data__evaluationresults_item__generationconfig__generationargs__evallimits__timelimit.is_integer())) or isinstance(data__evaluationresults_item__generationconfig__generationargs__evallimits__timelimit, bool):
                                                        raise Invalid
                                                if 'message_limit' in data__evaluationresults_item__generationconfig__generationargs__evallimits_keys:
                                                    data__evaluationresults_item__generationconfig__generationargs__evallimits_keys.remove('message_limit')
                                                    data__evaluationresults_item__generationconfig__generationargs__evallimits__messagelimit = data__evaluationresults_item__generationconfig__generationargs__evallimits['message_limit']
                                                    if not isinstance(data__evaluationresults_item__generationconfig__generationargs__evallimits__messagelimit, int) and (not (isinstance(data__evaluationresults_item__generationconfig__generationargs__evallimits__messagelimit, float) and data__evaluationresults_item__generationconfig__generationargs__evallimits__messagelimit.is_integer())) or isinstance(data__evaluationresults_item__generationconfig__generationargs__evallimits__messagelimit, bool):
                                                        raise Invalid
                                                if 'token_limit' in data__evaluationresults_item__generationconfig__generationargs__evallimits_keys:
                                                    data__evaluationresults_item__generationconfig__generationargs__evallimits_keys.remove('token_limit')
                                                    data__evaluationresults_item__generationconfig__generationargs__evallimits__tokenlimit = data__evaluationresults_item__generationconfig__generationargs__evallimits['token_limit']
                                                    if not isinstance(data__evaluationresults_item__generationconfig__generationargs__evallimits__tokenlimit, int) and (not (isinstance(data__evaluationresults_item__generationconfig__generationargs__evallimits__tokenlimit, float) and data__evaluationresults_item__generationconfig__generationargs__evallimits__tokenlimit.is_integer())) or isinstance(data__evaluationresults_item__generationconfig__generationargs__evallimits__tokenlimit, bool):
                                                        raise Invalid
                                        if 'sandbox' in data__evaluationresults_item__generationconfig__generationargs_keys:
                                            data__evaluationresults_item__generationconfig__generationargs_keys.remove('sandbox')
                                            data__evaluationresults_item__generationconfig__generationargs__sandbox = data__evaluationresults_item__generationconfig__generationargs['sandbox']
                                            if not isinstance(data__evaluationresults_item__generationconfig__generationargs__sandbox, dict):
                                                raise Invalid
                                            data__evaluationresults_item__generationconfig__generationargs__sandbox_is_dict = isinstance(data__evaluationresults_item__generationconfig__generationargs__sandbox, dict)
                                            if data__evaluationresults_item__generationconfig__generationargs__sandbox_is_dict:
                                                data__evaluationresults_item__generationconfig__generationargs__sandbox_keys = set(data__evaluationresults_item__generationconfig__generationargs__sandbox.keys())
                                                if 'type' in data__evaluationresults_item__generationconfig__generationargs__sandbox_keys:
                                                    data__evaluationresults_item__generationconfig__generationargs__sandbox_keys.remove('type')
                                                    data__evaluationresults_item__generationconfig__generationargs__sandbox__type = data__evaluationresults_item__generationconfig__generationargs__sandbox['type']
                                                    if not isinstance(data__evaluationresults_item__generationconfig__generationargs__sandbox__type, str):
                                                        raise Invalid
                                                if 'config' in data__evaluationresults_item__generationconfig__generationargs__sandbox_keys:
                                                    data__evaluationresults_item__generationconfig__generationargs__sandbox_keys.remove('config')
                                                    data__evaluationresults_item__generationconfig__generationargs__sandbox__config = data__evaluationresults_item__generationconfig__generationargs__sandbox['config']
                                                    if not isinstance(data__evaluationresults_item__generationconfig__generationargs__sandbox__config, str):
                                                        raise Invalid
                                        if 'max_attempts' in data__evaluationresults_item__generationconfig__generationargs_keys:
                                            data__evaluationresults_item__generationconfig__generationargs_keys.remove('max_attempts')
                                            data__evaluationresults_item__generationconfig__generationargs__maxattempts = data__evaluationresults_item__generationconfig__generationargs['max_attempts']
                                            if not isinstance(data__evaluationresults_item__generationconfig__generationargs__maxattempts, int) and (not (isinstance(data__evaluationresults_item__generationconfig__generationargs__maxattempts, float) and data__evaluationresults_item__generationconfig__generationargs__maxattempts.is_integer())) or isinstance(data__evaluationresults_item__generationconfig__generationargs__maxattempts, bool):
                                                raise Invalid
                                        if 'incorrect_attempt_feedback' in data__evaluationresults_item__generationconfig__generationargs_keys:
                                            data__evaluationresults_item__generationconfig__generationargs_keys.remove('incorrect_attempt_feedback')
                                            data__evaluationresults_item__generationconfig__generationargs__incorrectattemptfeedback = data__evaluationresults_item__generationconfig__generationargs['incorrect_attempt_feedback']
                                            if not isinstance(data__evaluationresults_item__generationconfig__generationargs__incorrectattemptfeedback, str):
                                                raise Invalid
                                        if data__evaluationresults_item__generationconfig__generationargs_keys:
                                            raise Invalid
                                if 'additional_details' in data__evaluationresults_item__generationconfig_keys:
                                    data__evaluationresults_item__generationconfig_keys.remove('additional_details')
                                    data__evaluationresults_item__generationconfig__additionaldetails = data__evaluationresults_item__generationconfig['additional_details']
                                    if not isinstance(data__evaluationresults_item__generationconfig__additionaldetails, dict):
                                        raise Invalid
                                    data__evaluationresults_item__generationconfig__additionaldetails_is_dict = isinstance(data__evaluationresults_item__generationconfig__additionaldetails, dict)
                                    if data__evaluationresults_item__generationconfig__additionaldetails_is_dict:
                                        data__evaluationresults_item__generationconfig__additionaldetails_keys = set(data__evaluationresults_item__generationconfig__additionaldetails.keys())
                                        for data__evaluationresults_item__generationconfig__additionaldetails_key in data__evaluationresults_item__generationconfig__additionaldetails_keys:
                                            if data__evaluationresults_item__generationconfig__additionaldetails_key not in []:
                                                data__evaluationresults_item__generationconfig__additionaldetails_value = data__evaluationresults_item__generationconfig__additionaldetails.get(data__evaluationresults_item__generationconfig__additionaldetails_key)
                                                if not isinstance(data__evaluationresults_item__generationconfig__additionaldetails_value, str):
                                                    raise Invalid
        if 'detailed_evaluation_results' in data_keys:
            data_keys.remove('detailed_evaluation_results')
            data__detailedevaluationresults = data['detailed_evaluation_results']
            if not isinstance(data__detailedevaluationresults, dict):
                raise Invalid
            data__detailedevaluationresults_is_dict = isinstance(data__detailedevaluationresults, dict)
            if data__detailedevaluationresults_is_dict:
                data__detailedevaluationresults_keys = set(data__detailedevaluationresults.keys())
                if 'format' in data__detailedevaluationresults_keys:
                    data__detailedevaluationresults_keys.remove('format')
                    data__detailedevaluationresults__format = data__detailedevaluationresults['format']
                    if not isinstance(data__detailedevaluationresults__format, str):
                        raise Invalid
                    if not (isinstance(data__detailedevaluationresults__format, str) and data__detailedevaluationresults__format == 'jsonl' or (isinstance(data__detailedevaluationresults__format, str) and data__detailedevaluationresults__format == 'json')):
                        raise Invalid
                if 'file_path' in data__detailedevaluationresults_keys:
                    data__detailedevaluationresults_keys.remove('file_path')
                    data__detailedevaluationresults__filepath = data__detailedevaluationresults['file_path']
                    if not isinstance(data__detailedevaluationresults__filepath, str):
                        raise Invalid
                if 'hash_algorithm' in data__detailedevaluationresults_keys:
                    data__detailedevaluationresults_keys.remove('hash_algorithm')
                    data__detailedevaluationresults__hashalgorithm = data__detailedevaluationresults['hash_algorithm']
                    if not isinstance(data__detailedevaluationresults__hashalgorithm, str):
                        raise Invalid
                    if not (isinstance(data__detailedevaluationresults__hashalgorithm, str) and data__detailedevaluationresults__hashalgorithm == 'sha256' or (isinstance(data__detailedevaluationresults__hashalgorithm, str) and data__detailedevaluationresults__hashalgorithm == 'md5')):
                        raise Invalid
                if 'checksum' in data__detailedevaluationresults_keys:
                    data__detailedevaluationresults_keys.remove('checksum')
                    data__detailedevaluationresults__checksum = data__detailedevaluationresults['checksum']
                    if not isinstance(data__detailedevaluationresults__checksum, str):
                        raise Invalid
                if 'total_rows' in data__detailedevaluationresults_keys:
                    data__detailedevaluationresults_keys.remove('total_rows')
                    data__detailedevaluationresults__totalrows = data__detailedevaluationresults['total_rows']
                    if not isinstance(data__detailedevaluationresults__totalrows, int) and (not (isinstance(data__detailedevaluationresults__totalrows, float) and data__detailedevaluationresults__totalrows.is_integer())) or isinstance(data__detailedevaluationresults__totalrows, bool):
                        raise Invalid
                if 'additional_details' in data__detailedevaluationresults_keys:
                    data__detailedevaluationresults_keys.remove('additional_details')
                    data__detailedevaluationresults__additionaldetails = data__detailedevaluationresults['additional_details']
                    if not isinstance(data__detailedevaluationresults__additionaldetails, dict):
                        raise Invalid
                    data__detailedevaluationresults__additionaldetails_is_dict = isinstance(data__detailedevaluationresults__additionaldetails, dict)
                    if data__detailedevaluationresults__additionaldetails_is_dict:
                        data__detailedevaluationresults__additionaldetails_keys = set(data__detailedevaluationresults__additionaldetails.keys())
                        for data__detailedevaluationresults__additionaldetails_key in data__detailedevaluationresults__additionaldetails_keys:
                            if data__detailedevaluationresults__additionaldetails_key not in []:
                                data__detailedevaluationresults__additionaldetails_value = data__detailedevaluationresults__additionaldetails.get(data__detailedevaluationresults__additionaldetails_key)
                                if not isinstance(data__detailedevaluationresults__additionaldetails_value, str):
                                    raise Invalid
        if data_keys:
            raise Invalid
    return data

def validate_judge_config(data):
    if not isinstance(data, dict):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['model_info']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if 'model_info' in data_keys:
            data_keys.remove('model_info')
            data__modelinfo = data['model_info']
            validate_model_info(data__modelinfo)
        if 'temperature' in data_keys:
            data_keys.remove('temperature')
            data__temperature = data['temperature']
            if not isinstance(data__temperature, (int, float)) or isinstance(data__temperature, bool):
                raise Invalid
        if 'weight' in data_keys:
            data_keys.remove('weight')
            data__weight = data['weight']
            if not isinstance(data__weight, (int, float)) or isinstance(data__weight, bool):
                raise Invalid
        if 'additional_details' in data_keys:
            data_keys.remove('additional_details')
            data__additionaldetails = data['additional_details']
            if not isinstance(data__additionaldetails, dict):
                raise Invalid
            data__additionaldetails_is_dict = isinstance(data__additionaldetails, dict)
            if data__additionaldetails_is_dict:
                data__additionaldetails_keys = set(data__additionaldetails.keys())
                for data__additionaldetails_key in data__additionaldetails_keys:
                    if data__additionaldetails_key not in []:
                        data__additionaldetails_value = data__additionaldetails.get(data__additionaldetails_key)
                        if not isinstance(data__additionaldetails_value, str):
                            raise Invalid
    return data

def validate_source_data_private(data):
    if not isinstance(data, dict):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['dataset_name', 'source_type']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if 'dataset_name' in data_keys:
            data_keys.remove('dataset_name')
            data__datasetname = data['dataset_name']
            if not isinstance(data__datasetname, str):
                raise Invalid
        if 'source_type' in data_keys:
            data_keys.remove('source_type')
            data__sourcetype = data['source_type']
            if not (isinstance(data__sourcetype, str) and data__sourcetype == 'other'):
                raise Invalid
        if 'additional_details' in data_keys:
            data_keys.remove('additional_details')
            data__additionaldetails = data['additional_details']
            if not isinstance(data__additionaldetails, dict):
                raise Invalid
            data__additionaldetails_is_dict = isinstance(data__additionaldetails, dict)
            if data__additionaldetails_is_dict:
                data__additionaldetails_keys = set(data__additionaldetails.keys())
                for data__additionaldetails_key in data__additionaldetails_keys:
                    if data__additionaldetails_key not in []:
                        data__additionaldetails_value = data__additionaldetails.get(data__additionaldetails_key)
                        if not isinstance(data__additionaldetails_value, str):
                            raise Invalid
    return data

def validate_source_data_hf(data):
    if not isinstance(data, dict):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['dataset_name', 'source_type']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if 'dataset_name' in data_keys:
            data_keys.remove('dataset_name')
            data__datasetname = data['dataset_name']
            if not isinstance(data__datasetname, str):
                raise Invalid
        if 'source_type' in data_keys:
            data_keys.remove('source_type')
            data__sourcetype = data['source_type']
            if not (isinstance(data__sourcetype, str) and data__sourcetype == 'hf_dataset'):
                raise Invalid
        if 'hf_repo' in data_keys:
            data_keys.remove('hf_repo')
            data__hfrepo = data['hf_repo']
            if not isinstance(data__hfrepo, str):
                raise Invalid
        if 'hf_split' in data_keys:
            data_keys.remove('hf_split')
            data__hfsplit = data['hf_split']
            if not isinstance(data__hfsplit, str):
                raise Invalid
        if 'samples_number' in data_keys:
            data_keys.remove('samples_number')
            data__samplesnumber = data['samples_number']
            if not isinstance(data__samplesnumber, int) and (not (isinstance(data__samplesnumber, float) and data__samplesnumber.is_integer())) or isinstance(data__samplesnumber, bool):
                raise Invalid
        if 'sample_ids' in data_keys:
            data_keys.remove('sample_ids')
            data__sampleids = data['sample_ids']
            if not isinstance(data__sampleids, (list, tuple)):
                raise Invalid
            data__sampleids_is_list = isinstance(data__sampleids, (list, tuple))
            if data__sampleids_is_list:
                data__sampleids_len = len(data__sampleids)
                for data__sampleids_x, data__sampleids_item in enumerate(data__sampleids):
                    if not isinstance(data__sampleids_item, str):
                        raise Invalid
        if 'additional_details' in data_keys:
            data_keys.remove('additional_details')
            data__additionaldetails = data['additional_details']
            if not isinstance(data__additionaldetails, dict):
                raise Invalid
            data__additionaldetails_is_dict = isinstance(data__additionaldetails, dict)
            if data__additionaldetails_is_dict:
                data__additionaldetails_keys = set(data__additionaldetails.keys())
                for data__additionaldetails_key in data__additionaldetails_keys:
                    if data__additionaldetails_key not in []:
                        data__additionaldetails_value = data__additionaldetails.get(data__additionaldetails_key)
                        if not isinstance(data__additionaldetails_value, str):
                            raise Invalid
    return data

def validate_source_data_url(data):
    if not isinstance(data, dict):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['dataset_name', 'source_type', 'url']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if 'dataset_name' in data_keys:
            data_keys.remove('dataset_name')
            data__datasetname = data['dataset_name']
            if not isinstance(data__datasetname, str):
                raise Invalid
        if 'source_type' in data_keys:
            data_keys.remove('source_type')
            data__sourcetype = data['source_type']
            if not (isinstance(data__sourcetype, str) and data__sourcetype == 'url'):
                raise Invalid
        if 'url' in data_keys:
            data_keys.remove('url')
            data__url = data['url']
            if not isinstance(data__url, (list, tuple)):
                raise Invalid
            data__url_is_list = isinstance(data__url, (list, tuple))
            if data__url_is_list:
                data__url_len = len(data__url)
                if data__url_len < 1:
                    raise Invalid
                for data__url_x, data__url_item in enumerate(data__url):
                    if not isinstance(data__url_item, str):
                        raise Invalid
        if 'additional_details' in data_keys:
            data_keys.remove('additional_details')
            data__additionaldetails = data['additional_details']
            if not isinstance(data__additionaldetails, dict):
                raise Invalid
            data__additionaldetails_is_dict = isinstance(data__additionaldetails, dict)
            if data__additionaldetails_is_dict:
                data__additionaldetails_keys = set(data__additionaldetails.keys())
                for data__additionaldetails_key in data__additionaldetails_keys:
                    if data__additionaldetails_key not in []:
                        data__additionaldetails_value = data__additionaldetails.get(data__additionaldetails_key)
                        if not isinstance(data__additionaldetails_value, str):
                            raise Invalid
    return data

def validate_model_info(data):
    if not isinstance(data, dict):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['name', 'id']) - data.keys()
        if data__missing_keys:
            raise Invalid
        data_keys = set(data.keys())
        if 'name' in data_keys:
            data_keys.remove('name')
            data__name = data['name']
            if not isinstance(data__name, str):
                raise Invalid
        if 'id' in data_keys:
            data_keys.remove('id')
            data__id = data['id']
            if not isinstance(data__id, str):
                raise Invalid
        if 'developer' in data_keys:
            data_keys.remove('developer')
            data__developer = data['developer']
            if not isinstance(data__developer, str):
                raise Invalid
        if 'inference_platform' in data_keys:
            data_keys.remove('inference_platform')
            data__inferenceplatform = data['inference_platform']
            if not isinstance(data__inferenceplatform, str):
                raise Invalid
        if 'inference_engine' in data_keys:
            data_keys.remove('inference_engine')
            data__inferenceengine = data['inference_engine']
            if not isinstance(data__inferenceengine, dict):
                raise Invalid
            data__inferenceengine_is_dict = isinstance(data__inferenceengine, dict)
            if data__inferenceengine_is_dict:
                data__inferenceengine_keys = set(data__inferenceengine.keys())
                if 'name' in data__inferenceengine_keys:
                    data__inferenceengine_keys.remove('name')
                    data__inferenceengine__name = data__inferenceengine['name']
                    if not isinstance(data__inferenceengine__name, str):
                        raise Invalid
                if 'version' in data__inferenceengine_keys:
                    data__inferenceengine_keys.remove('version')
                    data__inferenceengine__version = data__inferenceengine['version']
                    if not isinstance(data__inferenceengine__version, str):
                        raise Invalid
        if 'additional_details' in data_keys:
            data_keys.remove('additional_details')
            data__additionaldetails = data['additional_details']
            if not isinstance(data__additionaldetails, dict):
                raise Invalid
            data__additionaldetails_is_dict = isinstance(data__additionaldetails, dict)
            if data__additionaldetails_is_dict:
                data__additionaldetails_keys = set(data__additionaldetails.keys())
                for data__additionaldetails_key in data__additionaldetails_keys:
                    if data__additionaldetails_key not in []:
                        data__additionaldetails_value = data__additionaldetails.get(data__additionaldetails_key)
                        if not isinstance(data__additionaldetails_value, str):
                            raise Invalid
    return data
