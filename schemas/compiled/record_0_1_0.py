"""Generated from schemas/record-0.1.0.schema.json by scripts/generate.py with fastjsonschema: do not edit."""


class Invalid(Exception):
    """The data does not fit the schema."""


NoneType = type(None)

def validate(data):
    if not isinstance(data, dict):
        raise Invalid
    data_is_dict = isinstance(data, dict)
    if data_is_dict:
        data__missing_keys = set(['schema_version', 'evaluation_id', 'retrieved_timestamp', 'source_data', 'source_metadata', 'model_info', 'evaluation_results']) - data.keys()
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
        if 'retrieved_timestamp' in data_keys:
            data_keys.remove('retrieved_timestamp')
            data__retrievedtimestamp = data['retrieved_timestamp']
            if not isinstance(data__retrievedtimestamp, str):
                raise Invalid
        if 'source_data' in data_keys:
            data_keys.remove('source_data')
            data__sourcedata = data['source_data']
            data__sourcedata_one_of_count1 = 0
            if data__sourcedata_one_of_count1 < 2:
                try:
                    if not isinstance(data__sourcedata, (list, tuple)):
                        raise Invalid
                    data__sourcedata_is_list = isinstance(data__sourcedata, (list, tuple))
                    if data__sourcedata_is_list:
                        data__sourcedata_len = len(data__sourcedata)
                        for data__sourcedata_x, data__sourcedata_item in enumerate(data__sourcedata):
                            if not isinstance(data__sourcedata_item, str):
                                raise Invalid
                    data__sourcedata_one_of_count1 += 1
                except (Invalid,):
                    pass
            if data__sourcedata_one_of_count1 < 2:
                try:
                    if not isinstance(data__sourcedata, dict):
                        raise Invalid
                    data__sourcedata_is_dict = isinstance(data__sourcedata, dict)
                    if data__sourcedata_is_dict:
                        data__sourcedata__missing_keys = set(['dataset_name']) - data__sourcedata.keys()
                        if data__sourcedata__missing_keys:
                            raise Invalid
                        data__sourcedata_keys = set(data__sourcedata.keys())
                        if 'dataset_name' in data__sourcedata_keys:
                            data__sourcedata_keys.remove('dataset_name')
                            data__sourcedata__datasetname = data__sourcedata['dataset_name']
                            if not isinstance(data__sourcedata__datasetname, str):
                                raise Invalid
                        if 'hf_repo' in data__sourcedata_keys:
                            data__sourcedata_keys.remove('hf_repo')
                            data__sourcedata__hfrepo = data__sourcedata['hf_repo']
                            if not isinstance(data__sourcedata__hfrepo, str):
                                raise Invalid
                        if 'hf_split' in data__sourcedata_keys:
                            data__sourcedata_keys.remove('hf_split')
                            data__sourcedata__hfsplit = data__sourcedata['hf_split']
                            if not isinstance(data__sourcedata__hfsplit, str):
                                raise Invalid
                        if 'samples_number' in data__sourcedata_keys:
                            data__sourcedata_keys.remove('samples_number')
                            data__sourcedata__samplesnumber = data__sourcedata['samples_number']
                            if not isinstance(data__sourcedata__samplesnumber, int) and (not (isinstance(data__sourcedata__samplesnumber, float) and data__sourcedata__samplesnumber.is_integer())) or isinstance(data__sourcedata__samplesnumber, bool):
                                raise Invalid
                        if 'sample_ids' in data__sourcedata_keys:
                            data__sourcedata_keys.remove('sample_ids')
                            data__sourcedata__sampleids = data__sourcedata['sample_ids']
                            if not isinstance(data__sourcedata__sampleids, (list, tuple)):
                                raise Invalid
                            data__sourcedata__sampleids_is_list = isinstance(data__sourcedata__sampleids, (list, tuple))
                            if data__sourcedata__sampleids_is_list:
                                data__sourcedata__sampleids_len = len(data__sourcedata__sampleids)
                                for data__sourcedata__sampleids_x, data__sourcedata__sampleids_item in enumerate(data__sourcedata__sampleids):
                                    if not isinstance(data__sourcedata__sampleids_item, (int, str)) and (not (isinstance(data__sourcedata__sampleids_item, float) and data__sourcedata__sampleids_item.is_integer())) or isinstance(data__sourcedata__sampleids_item, bool):
                                        raise Invalid
                        if 'additional_details' in data__sourcedata_keys:
                            data__sourcedata_keys.remove('additional_details')
                            data__sourcedata__additionaldetails = data__sourcedata['additional_details']
                            if not isinstance(data__sourcedata__additionaldetails, dict):
                                raise Invalid
                            data__sourcedata__additionaldetails_is_dict = isinstance(data__sourcedata__additionaldetails, dict)
                            if data__sourcedata__additionaldetails_is_dict:
                                data__sourcedata__additionaldetails_keys = set(data__sourcedata__additionaldetails.keys())
                    data__sourcedata_one_of_count1 += 1
                except (Invalid,):
                    pass
            if data__sourcedata_one_of_count1 != 1:
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
        if 'model_info' in data_keys:
            data_keys.remove('model_info')
            data__modelinfo = data['model_info']
            if not isinstance(data__modelinfo, dict):
                raise Invalid
            data__modelinfo_is_dict = isinstance(data__modelinfo, dict)
            if data__modelinfo_is_dict:
                data__modelinfo__missing_keys = set(['name', 'id']) - data__modelinfo.keys()
                if data__modelinfo__missing_keys:
                    raise Invalid
                data__modelinfo_keys = set(data__modelinfo.keys())
                if 'name' in data__modelinfo_keys:
                    data__modelinfo_keys.remove('name')
                    data__modelinfo__name = data__modelinfo['name']
                    if not isinstance(data__modelinfo__name, str):
                        raise Invalid
                if 'id' in data__modelinfo_keys:
                    data__modelinfo_keys.remove('id')
                    data__modelinfo__id = data__modelinfo['id']
                    if not isinstance(data__modelinfo__id, str):
                        raise Invalid
                if 'developer' in data__modelinfo_keys:
                    data__modelinfo_keys.remove('developer')
                    data__modelinfo__developer = data__modelinfo['developer']
                    if not isinstance(data__modelinfo__developer, str):
                        raise Invalid
                if 'inference_platform' in data__modelinfo_keys:
                    data__modelinfo_keys.remove('inference_platform')
                    data__modelinfo__inferenceplatform = data__modelinfo['inference_platform']
                    if not isinstance(data__modelinfo__inferenceplatform, str):
                        raise Invalid
                if 'inference_engine' in data__modelinfo_keys:
                    data__modelinfo_keys.remove('inference_engine')
                    data__modelinfo__inferenceengine = data__modelinfo['inference_engine']
                    if not isinstance(data__modelinfo__inferenceengine, str):
                        raise Invalid
                if 'additional_details' in data__modelinfo_keys:
                    data__modelinfo_keys.remove('additional_details')
                    data__modelinfo__additionaldetails = data__modelinfo['additional_details']
                    if not isinstance(data__modelinfo__additionaldetails, dict):
                        raise Invalid
                    data__modelinfo__additionaldetails_is_dict = isinstance(data__modelinfo__additionaldetails, dict)
                    if data__modelinfo__additionaldetails_is_dict:
                        data__modelinfo__additionaldetails_keys = set(data__modelinfo__additionaldetails.keys())
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
                        data__evaluationresults_item__missing_keys = set(['evaluation_name', 'metric_config', 'score_details']) - data__evaluationresults_item.keys()
                        if data__evaluationresults_item__missing_keys:
                            raise Invalid
                        data__evaluationresults_item_keys = set(data__evaluationresults_item.keys())
                        if 'evaluation_name' in data__evaluationresults_item_keys:
                            data__evaluationresults_item_keys.remove('evaluation_name')
                            data__evaluationresults_item__evaluationname = data__evaluationresults_item['evaluation_name']
                            if not isinstance(data__evaluationresults_item__evaluationname, str):
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
                        if 'detailed_evaluation_results_url' in data__evaluationresults_item_keys:
                            data__evaluationresults_item_keys.remove('detailed_evaluation_results_url')
                            data__evaluationresults_item__detailedevaluationresultsurl = data__evaluationresults_item['detailed_evaluation_results_url']
                            if not isinstance(data__evaluationresults_item__detailedevaluationresultsurl, str):
                                raise Invalid
                        if 'generation_config' in data__evaluationresults_item_keys:
                            data__evaluationresults_item_keys.remove('generation_config')
                            data__evaluationresults_item__generationconfig = data__evaluationresults_item['generation_config']
                            if not isinstance(data__evaluationresults_item__generationconfig, dict):
                                raise Invalid
        if 'detailed_evaluation_results_per_samples' in data_keys:
            data_keys.remove('detailed_evaluation_results_per_samples')
            data__detailedevaluationresultspersamples = data['detailed_evaluation_results_per_samples']
            data__detailedevaluationresultspersamples_any_of_count2 = 0
            if not data__detailedevaluationresultspersamples_any_of_count2:
                try:
                    if not isinstance(data__detailedevaluationresultspersamples, str):
                        raise Invalid
                    data__detailedevaluationresultspersamples_any_of_count2 += 1
                except (Invalid,):
                    pass
            if not data__detailedevaluationresultspersamples_any_of_count2:
                try:
                    if not isinstance(data__detailedevaluationresultspersamples, (list, tuple)):
                        raise Invalid
                    data__detailedevaluationresultspersamples_is_list = isinstance(data__detailedevaluationresultspersamples, (list, tuple))
                    if data__detailedevaluationresultspersamples_is_list:
                        data__detailedevaluationresultspersamples_len = len(data__detailedevaluationresultspersamples)
                        for data__detailedevaluationresultspersamples_x, data__detailedevaluationresultspersamples_item in enumerate(data__detailedevaluationresultspersamples):
                            if not isinstance(data__detailedevaluationresultspersamples_item, dict):
                                raise Invalid
                            data__detailedevaluationresultspersamples_item_is_dict = isinstance(data__detailedevaluationresultspersamples_item, dict)
                            if data__detailedevaluationresultspersamples_item_is_dict:
                                data__detailedevaluationresultspersamples_item__missing_keys = set(['sample_id', 'input', 'ground_truth', 'response']) - data__detailedevaluationresultspersamples_item.keys()
                                if data__detailedevaluationresultspersamples_item__missing_keys:
                                    raise Invalid
                                data__detailedevaluationresultspersamples_item_keys = set(data__detailedevaluationresultspersamples_item.keys())
                                if 'sample_id' in data__detailedevaluationresultspersamples_item_keys:
                                    data__detailedevaluationresultspersamples_item_keys.remove('sample_id')
                                    data__detailedevaluationresultspersamples_item__sampleid = data__detailedevaluationresultspersamples_item['sample_id']
                                    if not isinstance(data__detailedevaluationresultspersamples_item__sampleid, str):
                                        raise Invalid
                                if 'input' in data__detailedevaluationresultspersamples_item_keys:
                                    data__detailedevaluationresultspersamples_item_keys.remove('input')
                                    data__detailedevaluationresultspersamples_item__input = data__detailedevaluationresultspersamples_item['input']
                                    if not isinstance(data__detailedevaluationresultspersamples_item__input, str):
                                        raise Invalid
                                if 'prompt' in data__detailedevaluationresultspersamples_item_keys:
                                    data__detailedevaluationresultspersamples_item_keys.remove('prompt')
                                    data__detailedevaluationresultspersamples_item__prompt = data__detailedevaluationresultspersamples_item['prompt']
                                    if not isinstance(data__detailedevaluationresultspersamples_item__prompt, str):
                                        raise Invalid
                                if 'ground_truth' in data__detailedevaluationresultspersamples_item_keys:
                                    data__detailedevaluationresultspersamples_item_keys.remove('ground_truth')
                                    data__detailedevaluationresultspersamples_item__groundtruth = data__detailedevaluationresultspersamples_item['ground_truth']
                                    data__detailedevaluationresultspersamples_item__groundtruth_one_of_count3 = 0
                                    if data__detailedevaluationresultspersamples_item__groundtruth_one_of_count3 < 2:
                                        try:
                                            if not isinstance(data__detailedevaluationresultspersamples_item__groundtruth, str):
                                                raise Invalid
                                            data__detailedevaluationresultspersamples_item__groundtruth_one_of_count3 += 1
                                        except (Invalid,):
                                            pass
                                    if data__detailedevaluationresultspersamples_item__groundtruth_one_of_count3 < 2:
                                        try:
                                            if not isinstance(data__detailedevaluationresultspersamples_item__groundtruth, (list, tuple)):
                                                raise Invalid
                                            data__detailedevaluationresultspersamples_item__groundtruth_is_list = isinstance(data__detailedevaluationresultspersamples_item__groundtruth, (list, tuple))
                                            if data__detailedevaluationresultspersamples_item__groundtruth_is_list:
                                                data__detailedevaluationresultspersamples_item__groundtruth_len = len(data__detailedevaluationresultspersamples_item__groundtruth)
                                                for data__detailedevaluationresultspersamples_item__groundtruth_x, data__detailedevaluationresultspersamples_item__groundtruth_item in enumerate(data__detailedevaluationresultspersamples_item__groundtruth):
                                                    if not isinstance(data__detailedevaluationresultspersamples_item__groundtruth_item, str):
                                                        raise Invalid
                                            data__detailedevaluationresultspersamples_item__groundtruth_one_of_count3 += 1
                                        except (Invalid,):
                                            pass
                                    if data__detailedevaluationresultspersamples_item__groundtruth_one_of_count3 != 1:
                                        raise Invalid
                                if 'response' in data__detailedevaluationresultspersamples_item_keys:
                                    data__detailedevaluationresultspersamples_item_keys.remove('response')
                                    data__detailedevaluationresultspersamples_item__response = data__detailedevaluationresultspersamples_item['response']
                                    if not isinstance(data__detailedevaluationresultspersamples_item__response, str):
                                        raise Invalid
                                if 'choices' in data__detailedevaluationresultspersamples_item_keys:
                                    data__detailedevaluationresultspersamples_item_keys.remove('choices')
                                    data__detailedevaluationresultspersamples_item__choices = data__detailedevaluationresultspersamples_item['choices']
                                    data__detailedevaluationresultspersamples_item__choices_one_of_count4 = 0
                                    if data__detailedevaluationresultspersamples_item__choices_one_of_count4 < 2:
                                        try:
                                            if not isinstance(data__detailedevaluationresultspersamples_item__choices, (list, tuple)):
                                                raise Invalid
                                            data__detailedevaluationresultspersamples_item__choices_is_list = isinstance(data__detailedevaluationresultspersamples_item__choices, (list, tuple))
                                            if data__detailedevaluationresultspersamples_item__choices_is_list:
                                                data__detailedevaluationresultspersamples_item__choices_len = len(data__detailedevaluationresultspersamples_item__choices)
                                                for data__detailedevaluationresultspersamples_item__choices_x, data__detailedevaluationresultspersamples_item__choices_item in enumerate(data__detailedevaluationresultspersamples_item__choices):
                                                    if not isinstance(data__detailedevaluationresultspersamples_item__choices_item, str):
                                                        raise Invalid
                                            data__detailedevaluationresultspersamples_item__choices_one_of_count4 += 1
                                        except (Invalid,):
                                            pass
                                    if data__detailedevaluationresultspersamples_item__choices_one_of_count4 < 2:
                                        try:
                                            if not isinstance(data__detailedevaluationresultspersamples_item__choices, (list, tuple)):
                                                raise Invalid
                                            data__detailedevaluationresultspersamples_item__choices_is_list = isinstance(data__detailedevaluationresultspersamples_item__choices, (list, tuple))
                                            if data__detailedevaluationresultspersamples_item__choices_is_list:
                                                data__detailedevaluationresultspersamples_item__choices_len = len(data__detailedevaluationresultspersamples_item__choices)
                                                for data__detailedevaluationresultspersamples_item__choices_x, data__detailedevaluationresultspersamples_item__choices_item in enumerate(data__detailedevaluationresultspersamples_item__choices):
                                                    if not isinstance(data__detailedevaluationresultspersamples_item__choices_item, (list, tuple)):
                                                        raise Invalid
                                                    data__detailedevaluationresultspersamples_item__choices_item_is_list = isinstance(data__detailedevaluationresultspersamples_item__choices_item, (list, tuple))
                                                    if data__detailedevaluationresultspersamples_item__choices_item_is_list:
                                                        data__detailedevaluationresultspersamples_item__choices_item_len = len(data__detailedevaluationresultspersamples_item__choices_item)
                                                        if data__detailedevaluationresultspersamples_item__choices_item_len < 2:
                                                            raise Invalid
                                                        if data__detailedevaluationresultspersamples_item__choices_item_len > 2:
                                                            raise Invalid
                                                        if data__detailedevaluationresultspersamples_item__choices_item_len > 0:
                                                            data__detailedevaluationresultspersamples_item__choices_item__0 = data__detailedevaluationresultspersamples_item__choices_item[0]
                                                            if not isinstance(data__detailedevaluationresultspersamples_item__choices_item__0, str):
                                                                raise Invalid
                                                        if data__detailedevaluationresultspersamples_item__choices_item_len > 1:
                                                            data__detailedevaluationresultspersamples_item__choices_item__1 = data__detailedevaluationresultspersamples_item__choices_item[1]
                                                            if not isinstance(data__detailedevaluationresultspersamples_item__choices_item__1, str):
                                                                raise Invalid
                                            data__detailedevaluationresultspersamples_item__choices_one_of_count4 += 1
                                        except (Invalid,):
                                            pass
                                    if data__detailedevaluationresultspersamples_item__choices_one_of_count4 != 1:
                                        raise Invalid
                                if 'full_logprobs' in data__detailedevaluationresultspersamples_item_keys:
                                    data__detailedevaluationresultspersamples_item_keys.remove('full_logprobs')
                                    data__detailedevaluationresultspersamples_item__fulllogprobs = data__detailedevaluationresultspersamples_item['full_logprobs']
                                    if not isinstance(data__detailedevaluationresultspersamples_item__fulllogprobs, (list, tuple)):
                                        raise Invalid
                                    data__detailedevaluationresultspersamples_item__fulllogprobs_is_list = isinstance(data__detailedevaluationresultspersamples_item__fulllogprobs, (list, tuple))
                                    if data__detailedevaluationresultspersamples_item__fulllogprobs_is_list:
                                        data__detailedevaluationresultspersamples_item__fulllogprobs_len = len(data__detailedevaluationresultspersamples_item__fulllogprobs)
                                        for data__detailedevaluationresultspersamples_item__fulllogprobs_x, data__detailedevaluationresultspersamples_item__fulllogprobs_item in enumerate(data__detailedevaluationresultspersamples_item__fulllogprobs):
                                            if not isinstance(data__detailedevaluationresultspersamples_item__fulllogprobs_item, (list, tuple)):
                                                raise Invalid
                                            data__detailedevaluationresultspersamples_item__fulllogprobs_item_is_list = isinstance(data__detailedevaluationresultspersamples_item__fulllogprobs_item, (list, tuple))
                                            if data__detailedevaluationresultspersamples_item__fulllogprobs_item_is_list:
                                                data__detailedevaluationresultspersamples_item__fulllogprobs_item_len = len(data__detailedevaluationresultspersamples_item__fulllogprobs_item)
                                                for data__detailedevaluationresultspersamples_item__fulllogprobs_item_x, data__detailedevaluationresultspersamples_item__fulllogprobs_item_item in enumerate(data__detailedevaluationresultspersamples_item__fulllogprobs_item):
                                                    if not isinstance(data__detailedevaluationresultspersamples_item__fulllogprobs_item_item, dict):
                                                        raise Invalid
                                                    data__detailedevaluationresultspersamples_item__fulllogprobs_item_item_is_dict = isinstance(data__detailedevaluationresultspersamples_item__fulllogprobs_item_item, dict)
                                                    if data__detailedevaluationresultspersamples_item__fulllogprobs_item_item_is_dict:
                                                        data__detailedevaluationresultspersamples_item__fulllogprobs_item_item__missing_keys = set(['token_id', 'logprob', 'decoded_token']) - data__detailedevaluationresultspersamples_item__fulllogprobs_item_item.keys()
                                                        if data__detailedevaluationresultspersamples_item__fulllogprobs_item_item__missing_keys:
                                                            raise Invalid
                                                        data__detailedevaluationresultspersamples_item__fulllogprobs_item_item_keys = set(data__detailedevaluationresultspersamples_item__fulllogprobs_item_item.keys())
                                                        if 'token_id' in data__detailedevaluationresultspersamples_item__fulllogprobs_item_item_keys:
                                                            data__detailedevaluationresultspersamples_item__fulllogprobs_item_item_keys.remove('token_id')
                                                            data__detailedevaluationresultspersamples_item__fulllogprobs_item_item__tokenid = data__detailedevaluationresultspersamples_item__fulllogprobs_item_item['token_id']
                                                            if not isinstance(data__detailedevaluationresultspersamples_item__fulllogprobs_item_item__tokenid, (int, float)) or isinstance(data__detailedevaluationresultspersamples_item__fulllogprobs_item_item__tokenid, bool):
                                                                raise Invalid
                                                        if 'logprob' in data__detailedevaluationresultspersamples_item__fulllogprobs_item_item_keys:
                                                            data__detailedevaluationresultspersamples_item__fulllogprobs_item_item_keys.remove('logprob')
                                                            data__detailedevaluationresultspersamples_item__fulllogprobs_item_item__logprob = data__detailedevaluationresultspersamples_item__fulllogprobs_item_item['logprob']
                                                            if not isinstance(data__detailedevaluationresultspersamples_item__fulllogprobs_item_item__logprob, (int, float)) or isinstance(data__detailedevaluationresultspersamples_item__fulllogprobs_item_item__logprob, bool):
                                                                raise Invalid
                                                        if 'decoded_token' in data__detailedevaluationresultspersamples_item__fulllogprobs_item_item_keys:
                                                            data__detailedevaluationresultspersamples_item__fulllogprobs_item_item_keys.remove('decoded_token')
                                                            data__detailedevaluationresultspersamples_item__fulllogprobs_item_item__decodedtoken = data__detailedevaluationresultspersamples_item__fulllogprobs_item_item['decoded_token']
                                                            if not isinstance(data__detailedevaluationresultspersamples_item__fulllogprobs_item_item__decodedtoken, str):
                                                                raise Invalid
                    data__detailedevaluationresultspersamples_any_of_count2 += 1
                except (Invalid,):
                    pass
            if not data__detailedevaluationresultspersamples_any_of_count2:
                raise Invalid
        if data_keys:
            raise Invalid
    return data
